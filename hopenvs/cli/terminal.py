"""What people see: remarks, progress bars and tables; what programs see instead when stdout is no terminal."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console


def examples(lines: Sequence[str]) -> str:
    """The end of a help page; the backspace keeps Typer from refilling the lines."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def remark(text: str) -> None:
    """A line on stderr."""
    print(text, file=sys.stderr, flush=True)


def program() -> str:
    """How a shell calls this program again: by its name if it finds it, else by the path it was called by."""
    by_path = Path(sys.argv[0]).stem == "hopenvs" and shutil.which("hopenvs") is None
    return shlex.quote(sys.argv[0]) if by_path else "hopenvs"


def error(text: str) -> None:
    """What went wrong, as one line on stderr."""
    remark("Error: " + " ".join(text.splitlines()))


def is_terminal(stream: Any) -> bool:
    """Whether a person reads `stream`."""
    return bool(getattr(stream, "isatty", lambda: False)())


def clear() -> None:
    """Clear the screen; what is printed next stands at its top."""
    print("\x1b[2J\x1b[H", end="")


def in_colour(stream: Any) -> bool:
    """Whether colours may be written to `stream` (https://no-color.org)."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR")


@contextlib.contextmanager
def progress(what: str, total: int | None, *, shown: bool = True) -> Iterator[Callable[[int, str], None]]:
    """A progress bar on stderr, if that is a terminal; gives `advance(steps, what_is_done_now)`.

    Args:
        what: what is being done.
        total: how many steps there are; None if nobody knows.
        shown: False for none at all.
    """
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    # Rich would send what is printed meanwhile to stderr too: stdout is left alone.
    bar = Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        disable=not (shown and is_terminal(sys.stderr)),
    )
    with bar:
        task = bar.add_task(what, total=total)

        def advance(steps: int, now: str = "") -> None:
            bar.update(task, advance=steps, description=now or what)

        yield advance


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], title: str | None = None) -> None:
    """Rows on stdout: a table in a terminal, else tab-separated without headings; numbers (or -) stand to the right."""
    if not is_terminal(sys.stdout):
        for row in rows:
            print(*row, sep="\t")
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=SIMPLE_HEAD, title=title, title_justify="left")
    for k, column in enumerate(columns):
        numbers = all(row[k] == "-" or _is_number(row[k]) for row in rows)
        shown.add_column(column, justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        shown.add_row(*(Text(f"{cell:,}" if isinstance(cell, int) else str(cell)) for cell in row))
    Console().print(shown)


def _is_number(cell: Any) -> bool:
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return True


def as_json(value: Any) -> None:
    """A value on stdout as JSON."""
    print(json.dumps(value, indent=2))
