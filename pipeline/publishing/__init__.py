"""Publishing: checks, diffs, the release, and files made from a release."""
