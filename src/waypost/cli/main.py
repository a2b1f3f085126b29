"""The command `waypost`: one file a command, each named here; what is heavy they import when they run."""

from typing import Annotated

import typer

from waypost.cli.bench import bench
from waypost.cli.build import build
from waypost.cli.data import data
from waypost.cli.demo import demo
from waypost.cli.evaluate import evaluate
from waypost.cli.factorize import factorize
from waypost.cli.fit import fit
from waypost.cli.info import info
from waypost.cli.paper import paper
from waypost.cli.search import search
from waypost.cli.shell import Shell
from waypost.cli.train import train
from waypost.cli.tune import tune

app = typer.Typer(
    cls=Shell,
    name="waypost",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(data)
app.add_typer(paper)
for command in (factorize, build, fit, train, tune, search, evaluate, info, bench, demo):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        import waypost

        typer.echo(waypost.__version__)
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Finds the items with the largest inner products by a learned route over a proximity graph.

    From a file of ratings to a recall curve:

    `waypost factorize ratings.csv shop.factors.npz`

    `waypost build shop.factors.npz shop.waypost`

    `waypost train shop.waypost shop.factors.npz shop.learned.waypost`

    `waypost evaluate shop.learned.waypost shop.factors.npz --report report.html`

    `waypost search shop.learned.waypost --like "tea,milk"`
    """
