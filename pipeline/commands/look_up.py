"""The commands about one word: `bee why` and `bee define`."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline import reader
from pipeline.commands import PLAY, USE, command
from pipeline.commands.options import Json
from pipeline.commands.settings import Settings
from pipeline.errors import Message, StoreError
from pipeline.play import about
from pipeline.words import Explanation, puzzle

if TYPE_CHECKING:
    from pipeline.play.glosses import Glosses


@command(USE, "bee why luff", "bee why canto vctaoen")
def why(
    settings: Settings,
    word: Annotated[str, typer.Argument(help="The word.")],
    letters: Annotated[
        str,
        typer.Argument(
            help="The letters of a puzzle, center first. With them, also explain why the word is or is not an answer."
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """Explain why a word is or is not listed.

    Shows the record, flags, estimate and verdict of the word, and in a workspace also the lists that have it and its
    relatives. Exits with code 1 if the word is unknown.
    """
    from pipeline.play import glosses

    if not word.strip():
        raise typer.BadParameter("Name a word.")
    asked = puzzle(letters) if letters else None
    explanation, limitation = _explanation(settings, word.strip().lower())
    judgment = None
    if asked:
        typed_letters = "".join(filter(str.isalpha, letters.lower()))
        judgment = about.judge(explanation, asked, typed_letters)
    definition = glosses.define(explanation.word, glosses.load(settings.release_folder(), {explanation.word}))
    if as_json:
        fields = dataclasses.asdict(explanation)
        if judgment:
            fields |= dataclasses.asdict(judgment)
        fields["gloss"] = {"base": definition.base, "senses": [sense.gloss for sense in definition.senses]}
        settings.print_json(fields)
    else:
        typer.echo(f"{about.as_text(explanation, judgment)}\n  gloss      {glosses.line(definition)}")
    if limitation:
        settings.say(limitation)
    if explanation.tier == "unknown" and not (explanation.lists or explanation.verdict or definition.senses):
        raise typer.Exit(1)


def _explanation(settings: Settings, word: str) -> tuple[Explanation, Message]:
    """Return what the workspace knows about a word, or else what the release knows; and a note on what is missing."""
    try:
        workspace = settings.find_workspace()
        from pipeline.opinions import why
        from pipeline.run import registry

        explanation = why.explain(word, registry.load_opinions_about(workspace, word))
        if not explanation.because:
            explanation = dataclasses.replace(explanation, because=about.why_unknown(word))
        return explanation, Message()
    except StoreError as error:
        limitation = Message("Lists and relatives are not shown above. ", error.message)
    except ModuleNotFoundError:
        limitation = Message("Lists and relatives are not shown above. They need the packages of the `[curate]` extra.")
    from pipeline import store
    from pipeline.facts import seal

    folder = settings.release_folder()
    release = reader.read(folder, *about.FILES)
    evidence = store.read_if_exists(Path(folder) / "evidence.csv")
    if evidence:
        seal.coverage(evidence)
    return about.explain(word, release, evidence), limitation


@command(PLAY, "bee define luff", "bee define --coverage")
def define(
    settings: Settings,
    words: Annotated[list[str] | None, typer.Argument(help="The words.")] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Count the words of the list that have a definition, by tier.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> None:
    """Print the definitions of words.

    They come from the release or, for words that have none there, from WordNet. Exits with code 1 if no word has a
    definition.
    """
    from pipeline.play import glosses

    names = [word.strip().lower() for word in words or [] if word.strip()]
    if not (names or coverage):
        raise typer.BadParameter("Name a word, or use --coverage.")
    release = settings.release_folder()
    table = glosses.load(release, None if coverage else set(names))
    if coverage:
        _print_coverage(release, table)
    definitions = [glosses.define(word, table) for word in names]
    version = reader.read(release, reader.PACKAGE).version
    for definition in definitions:
        if as_json:
            senses = [sense.as_json() for sense in definition.senses]
            fields = {"version": version, "word": definition.word, "base": definition.base, "senses": senses}
            typer.echo(json.dumps(fields))
        else:
            typer.echo(glosses.text(definition))
    if definitions and not any(definition.senses for definition in definitions):
        raise typer.Exit(1)


def _print_coverage(release_folder: str, table: Glosses) -> None:
    """Print how many words of each tier of the list have a definition, and the first words that have none."""
    from pipeline.play import glosses

    for tier, undefined, number in glosses.coverage(reader.read(release_folder, "words.csv"), table):
        if not number:
            continue
        exceptions_text = ""
        if undefined:
            more = " …" if len(undefined) > 5 else ""
            exceptions_text = f", not {', '.join(undefined[:5])}{more}"
        defined = number - len(undefined)
        typer.echo(
            f"{tier}: {defined:,} of {number:,} words have a definition ({defined / number:.1%}){exceptions_text}."
        )
