"""The errors that are waypost's own; a wrong argument raises a plain ValueError or TypeError."""


class WaypostError(ValueError):
    """What waypost raises when something it was given, other than an argument, cannot be used.

    >>> import waypost as wp
    >>> issubclass(wp.WaypostError, ValueError)
    True
    """


class UnreadableFileError(WaypostError):
    """A file that is damaged, is not an index, or was written by a newer waypost.

    >>> import pathlib, tempfile
    >>> import waypost as wp
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "shop.waypost"
    ...     _ = path.write_bytes(b"not an index")
    ...     try:
    ...         wp.Index.load(path)
    ...     except wp.UnreadableFileError as error:
    ...         print("refused:", "shop.waypost" in str(error))
    refused: True
    """
