"""How far a run has come: a line in a terminal, a bar and a curve in a notebook, or a function of yours."""
from __future__ import annotations

import sys
from typing import Any, Callable, List, NamedTuple, Optional


class Progress(NamedTuple):
    """How far a run has come."""

    line: str  # in words, such as "epoch 12/200  loss 3.2e-05  ..."
    fraction: float  # of the budget, 0 to 1
    rounds: int  # epochs or exams that have ended
    elapsed: float  # seconds
    loss: float  # of the last round
    score: float  # accuracy of the last epoch, or the share of instances solved in the last exam


class Point(NamedTuple):
    """One round of a run."""

    round: int
    loss: float
    score: float


def curve_svg(points: List[Point], width: int = 360, height: int = 90) -> str:
    """The score over the rounds as a picture; nothing before there are two rounds."""
    if len(points) < 2:
        return ""
    last = points[-1].round or 1
    line = " ".join("%.1f,%.1f" % (4 + (width - 8) * p.round / last, height - 6 - (height - 12) * p.score)
                    for p in points)
    return ('<svg width="%d" height="%d" role="img" aria-label="score by round">'
            '<rect width="100%%" height="100%%" fill="none" stroke="#999"/>'
            '<polyline points="%s" fill="none" stroke="#1668b0" stroke-width="1.5"/></svg>' % (width, height, line))


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


class _Terminal:
    def __init__(self) -> None:
        self.width = 0

    def show(self, progress: Progress, _points: List[Point]) -> None:
        line = "%3d %%  %s" % (int(100 * progress.fraction), progress.line)
        sys.stderr.write("\r" + line[:110].ljust(self.width))
        sys.stderr.flush()
        self.width = min(len(line), 110)

    def end(self) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()


class _Notebook:
    def __init__(self) -> None:
        from IPython.display import HTML, display

        self.html = HTML
        self.handle = display(HTML(""), display_id=True)

    def show(self, progress: Progress, points: List[Point]) -> None:
        self.handle.update(self.html(
            '<progress value="%.3f" style="width:360px"></progress><br>%s<br><code>%s</code>'
            % (progress.fraction, curve_svg(points), escape(progress.line))))

    def end(self) -> None:
        pass


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    try:
        return shell is not None and shell.get_ipython().__class__.__name__ == "ZMQInteractiveShell"
    except Exception:
        return False


def display_of(progress: Optional[bool]) -> Any:
    """None: as suits, in a notebook or at a terminal; False: nowhere."""
    if progress is False:
        return None
    if _in_notebook():
        return _Notebook()
    return _Terminal() if progress or sys.stderr.isatty() else None


Watcher = Callable[[Progress], Optional[bool]]
