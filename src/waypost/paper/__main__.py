"""`python -m waypost.paper`."""

import sys

from waypost.paper.command import main

if __name__ == "__main__":
    sys.exit(main())
