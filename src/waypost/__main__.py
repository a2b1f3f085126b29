"""`python -m waypost` is the command `waypost`."""

from waypost.cli import run

if __name__ == "__main__":
    run()
