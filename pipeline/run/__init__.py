"""Run: the names, paths and codecs of everything on disk, the stages, and the runner that keeps them up to date."""
