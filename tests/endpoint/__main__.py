"""Serve the endpoint from a process of its own: `python -m tests.endpoint --port 0` prints the base URL and runs until stopped."""

import argparse
import sys
import threading

from tests.endpoint.server import Endpoint


def main() -> None:
    """Print the URL and serve well-behaved replies until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tests.endpoint", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each reply")
    options = parser.parse_args()
    with Endpoint(port=options.port, latency=options.latency, record=False) as endpoint:
        sys.stdout.write(f"{endpoint.url}\n")
        sys.stdout.flush()
        threading.Event().wait()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
