"""The commands about one word: `bee why`, `bee effect` and `bee define`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from pipeline import reader, store
from pipeline.commands import CURATE, PLAY, USE, Data, Json, at_work, command, release_folder, remedied, say, tell
from pipeline.errors import StoreError
from pipeline.facts import seal
from pipeline.play import about, glosses
from pipeline.words import VERDICTS, puzzle


@command(USE, "bee why luff", "bee why canto vctaoen")
def why(
    word: Annotated[str, typer.Argument(help="The word.")],
    letters: Annotated[
        str, typer.Argument(help="A puzzle, center first: also explain why the word is an answer or not.")
    ] = "",
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Explain why a word is listed or not: record, flags, estimate, verdict; in a workspace also lists and relatives.

    Exit code 1 if the word is unknown.
    """
    if not word.strip():
        raise typer.BadParameter("Name a word.")
    asked = puzzle(letters) if letters else None
    trail, lacking = _trail(word.strip().lower(), data)
    if asked:
        trail["answer"], trail["answer_because"] = about.answer(trail, asked)
        trail["letters"] = "".join(filter(str.isalpha, letters.lower()))  # as they were typed
    meaning = glosses.define(trail["word"], glosses.load(release_folder(data), {trail["word"]}))
    if as_json:
        trail["gloss"] = {"base": meaning.base, "senses": [sense.gloss for sense in meaning.senses]}
        tell(trail, data)
    else:
        typer.echo(f"{about.text(trail)}\n  gloss      {glosses.line(meaning)}")
    if lacking:
        say(lacking)
    if trail["tier"] == "unknown" and not (trail["lists"] or trail["verdict"] or meaning.senses):
        raise typer.Exit(1)


def _trail(word: str, data: str | None) -> tuple[dict[str, Any], str]:
    """Return what the workspace knows of a word, else what the release does, and then what is lacking for more."""
    try:
        workspace = store.find_workspace(data)
        from pipeline.opinions import why as explaining
        from pipeline.run import registry

        trail = explaining.why(word, registry.load_opinions_about(workspace, word))
        return trail | {"because": trail["because"] or about.unknown(word)}, ""
    except StoreError as error:
        lacking = f"Lists and relatives are missing above. {error}"
    except ModuleNotFoundError:
        lacking = "Lists and relatives are missing above; they need the packages of the extra `[curate]`."
    folder = release_folder(data)
    release = reader.read(folder, *about.FILES)
    evidence = store.read_if_exists(Path(folder) / "evidence.csv")
    if evidence:
        seal.coverage(evidence)
    return about.about(word, release, evidence), lacking


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
    words = [word.strip().lower() for word in words or [] if word.strip()]
    if not (words or coverage):
        raise typer.BadParameter("Name a word, or use --coverage.")
    release = release_folder(data)
    table = glosses.load(release, None if coverage else set(words))
    for tier, lacking, number in glosses.coverage(reader.read(release, "words.csv"), table) if coverage else ():
        some = f", not {', '.join(lacking[:5])}{' …' if len(lacking) > 5 else ''}" if lacking else ""
        have = number - len(lacking)
        typer.echo(f"{tier}: {have:,} of {number:,} words have a definition ({have / number:.1%}){some}.")
    asked = [glosses.define(word, table) for word in words]
    version = reader.read(release, reader.PACKAGE).version
    for definition in asked:
        senses = [sense._asdict() for sense in definition.senses]
        line = json.dumps({"version": version, "word": definition.word, "base": definition.base, "senses": senses})
        typer.echo(line if as_json else glosses.text(definition))
    if asked and not any(definition.senses for definition in asked):
        raise typer.Exit(1)


@command(CURATE, "bee effect luff drop", "bee effect adjoint keep --json")
def effect(
    word: Annotated[str, typer.Argument(help="The word.")],
    verdict: Annotated[str, typer.Argument(help="keep or drop.")],
    only: Annotated[
        bool, typer.Option("--only", help="A verdict on this word alone, not on its base and forms.")
    ] = False,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Print what a verdict would change, without writing it: words of the list, past puzzles, expected exact lists."""
    from pipeline.review import effect as measuring
    from pipeline.run import registry

    if verdict not in VERDICTS:
        raise typer.BadParameter(f'"{verdict}" is neither keep nor drop.')
    with at_work(data, writes=False) as (workspace, _):
        found = measuring.effect(word.strip().lower(), verdict, registry.load_all(workspace, *measuring.READS), only)
    if as_json:
        tell(found, data)
    else:
        typer.echo(remedied("\n".join([f"{verdict} {found['word']}", *(f"  {line}" for line in found["says"])])))
