"""The commands about one word: `bee why` and `bee define`."""

from __future__ import annotations

import json
from typing import Annotated, Optional

import typer

from pipeline import reader
from pipeline.commands import CURATE, PLAY, Data, Json, at_work, command, release_folder, say, tell


@command(CURATE, "bee why luff", "bee why canto vctaoen")
def why(
    word: Annotated[str, typer.Argument(help="The word.")],
    letters: Annotated[
        str, typer.Argument(help="A puzzle, center first: also explain why the word is an answer or not.")
    ] = "",
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Explain why a word is listed or not: lists, record, flags, relatives, estimate, verdict, tier.

    Exit code 1 if the word is unknown.
    """
    from pipeline.opinions import why as explaining
    from pipeline.play import glosses
    from pipeline.run import registry
    from pipeline.words import puzzle

    if not word.strip():
        raise typer.BadParameter("Name a word.")
    asked = puzzle(letters) if letters else None
    with at_work(data, writes=False) as (workspace, _):
        tables = registry.opinions_about(workspace, word.strip().lower())
    trail = explaining.why(word.strip().lower(), tables, asked)
    if asked:
        trail["letters"] = "".join(filter(str.isalpha, letters.lower()))  # as they were typed
    meaning = glosses.define(trail["word"], glosses.load(release_folder(data), {trail["word"]}))
    if as_json:
        trail["gloss"] = {"base": meaning.base, "senses": [sense.gloss for sense in meaning.senses]}
        tell(trail)
    else:
        typer.echo(f"{explaining.text(trail)}\n  gloss      {glosses.line(meaning)}")
    if trail["tier"] == "unknown" and not (trail["lists"] or trail["verdict"] or meaning.senses):
        say(f"{trail['word']} is not in any list or record here.")
        raise typer.Exit(1)


@command(PLAY, "bee define luff", "bee define --coverage")
def define(
    words: Annotated[Optional[list[str]], typer.Argument(help="The words.")] = None,  # noqa: UP045
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Count the words of the list that have a definition, by tier.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
    data: Data = None,
) -> None:
    """Print the definitions of words: those of the release, else those of WordNet."""
    from pipeline.play import glosses as meanings

    words = [word.strip().lower() for word in words or [] if word.strip()]
    if not (words or coverage):
        raise typer.BadParameter("Name a word, or use --coverage.")
    release = release_folder(data)
    table = meanings.load(release, None if coverage else set(words))
    for tier, lacking, number in meanings.coverage(reader.read(release, "words.csv"), table) if coverage else ():
        some = f", not {', '.join(lacking[:5])}{' …' if len(lacking) > 5 else ''}" if lacking else ""
        have = number - len(lacking)
        typer.echo(f"{tier}: {have:,} of {number:,} words have a definition ({have / number:.1%}){some}.")
    asked = [meanings.define(word, table) for word in words]
    for definition in asked:
        senses = [sense._asdict() for sense in definition.senses]
        line = json.dumps({"word": definition.word, "base": definition.base, "senses": senses})
        typer.echo(line if as_json else meanings.text(definition))
    if asked and not any(definition.senses for definition in asked):
        raise typer.Exit(1)
