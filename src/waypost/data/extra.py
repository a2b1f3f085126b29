"""What the extra `data` brings, imported where it is used; when it is missing, the error says what to install."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def needed(module: str, purpose: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        library = module.partition(".")[0]
        raise ImportError(f"{purpose} needs {library}; run pip install 'waypost[data]'.") from error
