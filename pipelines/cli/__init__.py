"""The command `judge`."""


def main() -> None:
    """Run the command line and exit with its code."""
    from pipelines.cli.root import run

    run()
