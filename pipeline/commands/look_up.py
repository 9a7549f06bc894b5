"""The commands about one word: `bee why` and `bee define`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader, solver, store, word_list
from pipeline.commands.messages import escaped, print_json
from pipeline.commands.options import Json, read_stdin
from pipeline.errors import DataError
from pipeline.facts import by_hand
from pipeline.play import about, glosses
from pipeline.play.about import Explanation
from pipeline.play.glosses import Glosses
from pipeline.play.relatives import relatives
from pipeline.words import WORD_COLUMNS, playable, puzzle, without_comment


def why(
    ctx: typer.Context,
    word: Annotated[str, typer.Argument(help="The word, or - to read words from stdin, one per line.")],
    letters: Annotated[
        str,
        typer.Argument(
            help="The letters of a puzzle, center first. With them, also explain why the word is or is not an answer."
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """Explain why a word is or is not listed.

    Shows the reason, p, record, flags and verdict of the word in the release, a verdict that is not applied yet, and
    its base and forms. Exits with code 1 if a word is unknown or cannot be played.

    \b
    Examples:
      bee why luff
      bee why canto vctaoen
      bee why - < words.txt
    """
    words = _words_to_look_up([word])
    asked = puzzle(letters) if letters else None
    explanations = _explanations(store.find_release(ctx.obj), words)
    meanings = glosses.load(store.find_release(ctx.obj), {*words})
    answers = []
    has_unknown_words = False
    for explanation in explanations:
        judgment = None
        if asked:
            typed_letters = "".join(filter(str.isalpha, letters.lower()))
            judgment = about.check_answer(explanation, asked, typed_letters)
        definition = glosses.define(explanation.word, meanings)
        has_unknown_words |= about.is_unknown(explanation) and not definition.senses
        has_unknown_words |= explanation.tier == about.UNPLAYABLE
        if as_json:
            fields = dataclasses.asdict(explanation)
            if judgment:
                fields |= dataclasses.asdict(judgment)
            fields["gloss"] = {"base": definition.base, "senses": [sense.gloss for sense in definition.senses]}
            answers.append(fields)
        else:
            text = about.as_text(explanation, judgment)
            if explanation.tier != about.UNPLAYABLE or definition.senses:
                text += f"\n  gloss      {glosses.line(definition)}"
            typer.echo(escaped(text))
    if as_json:
        print_json(answers if word == word_list.STDIN else answers[0], ctx.obj)
    if has_unknown_words:
        raise typer.Exit(1)


def _words_to_look_up(arguments: list[str]) -> list[str]:
    """Return the words to look up, in lower case and each once; `-` stands for the lines of stdin.

    Raises BadParameter if there is no word.
    """
    lines: list[str] = []
    for argument in arguments:
        if argument == word_list.STDIN:
            lines += map(without_comment, read_stdin().splitlines())
        else:
            lines.append(argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    words = [line.strip().lower() for line in lines if line.strip()]
    if not words:
        raise typer.BadParameter("There is no word on stdin." if word_list.STDIN in arguments else "Name a word.")
    return list(dict.fromkeys(words))


def _explanations(folder: Path, words: list[str]) -> Iterator[Explanation]:
    """Yield what the release in a folder and the file of verdicts beside it say about words."""
    family_of = relatives([word for word in words if playable(word)])
    table = reader.read(folder, "words.csv").files["words.csv"]
    asked = {*family_of, *(word for family in family_of.values() for word in family)}
    rows = {row["word"]: row for row in reader.rows(table, "words.csv", reader.any_of(asked))}
    if any(not row.keys() >= {*WORD_COLUMNS} for row in rows.values()):
        raise DataError(f"words.csv in {folder} lacks columns: it is of another version of the program.")
    verdicts = _verdicts(folder / "verdicts.csv", words)
    listed: list[str] = []
    for word in words:
        if not playable(word):
            yield about.explain_unplayable(word)
            continue
        family = [rows[each] for each in family_of[word] if each in rows]
        explanation = about.explain(word, rows.get(word, {}), family)
        if verdicts is not None:
            explanation = about.with_verdict(explanation, verdicts.get(word, {}))
        if explanation.tier == "unknown":
            listed = listed or solver.load_release(folder)
            explanation = dataclasses.replace(explanation, near=about.near_misses(word, listed))
        yield explanation


def _verdicts(path: Path, words: list[str]) -> dict[str, dict[str, str]] | None:
    """Return the rows of some words in the file of verdicts, by word; None if there is no file, as in an installed
    program."""
    if not path.exists():
        return None
    data = path.read_bytes()
    if not any(word.encode() in data for word in words):  # most words have no verdict, and parsing takes time
        return {}
    return {row["word"]: row for row in by_hand.parse("verdicts", data) if row["word"] in words}


def define(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(help="The words, or - to read words from stdin, one per line.")
    ] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Count the words of the list that have a definition, by tier.")
    ] = False,
) -> None:
    """Print the definitions of words.

    They come from the release or, for words that have none there, from WordNet. Exits with code 1 if no word has a
    definition.

    \b
    Examples:
      bee define luff
      bee define - < words.txt
      bee define --coverage
    """
    if not (words or coverage):
        raise typer.BadParameter("Name a word, or use --coverage.")
    names = _words_to_look_up(words) if words else []
    release = store.find_release(ctx.obj)
    table = glosses.load(release, None if coverage else set(names))
    if coverage:
        _print_coverage(release, table)
    definitions = [glosses.define(word, table) for word in names]
    for definition in definitions:
        typer.echo(glosses.text(definition))
    if definitions and not any(definition.senses for definition in definitions):
        raise typer.Exit(1)


def _print_coverage(release_folder: Path, table: Glosses) -> None:
    """Print how many words of each tier of the list have a definition, and the first words that have none."""
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
