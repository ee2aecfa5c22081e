"""The command `hopenvs`: a file a verb, each a thin call of what the package offers.

A verb is a module with a function `command`, whose signature Typer reads and whose docstring is its help, and
`EXAMPLES`, which end the help and are run by the tests. `app.VERBS` lists them. Results go to stdout, plain enough for
another program when it is no terminal; progress, remarks and errors go to stderr.
"""


def main() -> None:
    """Run the command line (the entry point `hopenvs`)."""
    from hopenvs.cli.app import app

    app(prog_name="hopenvs")
