"""`python -m pipelines` is the command `judge`."""

from pipelines.cli import main

if __name__ == "__main__":
    main()
