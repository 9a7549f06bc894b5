"""Draws plots for the notebooks and the accuracy report, as SVG that needs no network and is the same on every run."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def blank_axes(width: float, height: float) -> Axes:
    """Return empty axes with a size in inches."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.hashsalt": "bee", "svg.fonttype": "none", "font.family": "sans-serif"}
    from matplotlib.figure import Figure

    axes = Figure(figsize=(width, height), layout="constrained").subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def svg(axes: Axes) -> bytes:
    """Return a drawing as SVG without a timestamp."""
    buffer = io.BytesIO()
    axes.figure.savefig(buffer, format="svg", metadata={"Date": None})  # type: ignore[union-attr]
    return buffer.getvalue()
