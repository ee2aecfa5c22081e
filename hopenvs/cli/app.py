"""The program: its verbs, the options before them, and how errors are told."""

from __future__ import annotations

from typing import Annotated, Any

import typer
import typer.core

import hopenvs
from hopenvs.cli import (
    arena,
    baselines,
    bench,
    check,
    clear_cache,
    docs,
    exploit,
    play,
    record,
    replay,
    terminal,
    train,
    warmup,
    watch,
)
from hopenvs.cli import eval as eval_
from hopenvs.cli import list as list_
from hopenvs.core.errors import (
    GameError,
    IllegalActionError,
    OptionError,
    PositionError,
    RecordError,
    UnknownIdError,
)

VERBS: dict[str, Any] = {  # in the order of the help
    "list": list_,
    "train": train,
    "eval": eval_,
    "arena": arena,
    "baselines": baselines,
    "exploit": exploit,
    "play": play,
    "watch": watch,
    "record": record,
    "replay": replay,
    "check": check,
    "bench": bench,
    "warmup": warmup,
    "clear-cache": clear_cache,
    "docs": docs,
}

# What a user can bring about; anything else is a fault of the program and shows its traceback.
REPORTED = (GameError, IllegalActionError, OptionError, PositionError, RecordError, UnknownIdError, OSError)


class Program(typer.core.TyperGroup):
    """The group of verbs; what they refuse becomes one line on stderr and exit code 2."""

    def invoke(self, ctx: Any) -> Any:
        """Run a verb."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # the reader of a pipe has left: Typer ends quietly
            raise
        except REPORTED as error:
            if ctx.params.get("debug"):
                raise
            terminal.error(_in_words(error))
            raise typer.Exit(2) from None


def _in_words(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return str(error)


app = typer.Typer(
    name="hopenvs",
    cls=Program,
    no_args_is_help=True,
    rich_markup_mode=None,  # plain help and errors: they read the same in a terminal, a pipe and a README
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(asked: bool) -> None:
    if asked:
        print(f"hopenvs {hopenvs.__version__}")
        raise typer.Exit


@app.callback(epilog=terminal.examples(("hopenvs list", "hopenvs record --help", "hopenvs --version")))
def _program(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Board games about hopping animals as reinforcement-learning environments.

    Results go to stdout, progress and errors to stderr. Exit codes: 0; 1 if a check found a fault; 2 for an error.
    """


for _name, _verb in VERBS.items():
    app.command(_name, epilog=terminal.examples(_verb.EXAMPLES))(_verb.command)
