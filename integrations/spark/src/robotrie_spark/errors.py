"""The error of this package."""


class RobotrieError(Exception):
    """What went wrong, in one sentence."""
