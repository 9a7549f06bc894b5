"""Drawing: matplotlib with settings that give the same bytes for the same data. Needs the extra `curate`."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from pipeline.words import BeeError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def axes(width: float, height: float) -> Axes:
    """Return empty axes of a size in inches; raise BeeError if matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError as error:
        raise BeeError("Plots need matplotlib: pip install 'bee-wordlist[curate]'.") from error
    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.hashsalt": "bee", "svg.fonttype": "none", "font.family": "sans-serif"}
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(width, height), layout="constrained").subplots()
    drawn.spines[["top", "right"]].set_visible(False)
    return drawn


def svg(drawn: Axes) -> bytes:
    """Return a drawing as SVG without a timestamp."""
    buffer = io.BytesIO()
    drawn.figure.savefig(buffer, format="svg", metadata={"Date": None})  # type: ignore[union-attr]
    return buffer.getvalue()
