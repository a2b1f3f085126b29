"""The command line. It needs the extra `cli`; everything that it does can be done from Python, too."""

import sys


def run() -> None:
    """What the console script calls."""
    try:
        from waypost.cli.main import app
    except KeyboardInterrupt:
        sys.exit(130)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("typer", "rich"):
            raise
        print(f"waypost: the command line needs {error.name}; run pip install 'waypost[cli]'.", file=sys.stderr)
        sys.exit(2)
    app(prog_name="waypost")
