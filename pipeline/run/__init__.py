"""Run: the names, paths and codecs of everything on disk, the stages, and the runner that keeps them up to date."""

__all__ = "registry runner stages".split()
"""The modules that other folders may use; all others are internal."""
