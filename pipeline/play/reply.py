"""The reply to a player: the answers of a puzzle, or only as much of them as the player asked for.

`reply` finds everything once; `as_json` and `as_text` format it. Standard library only.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import prod

from pipeline import solver
from pipeline.play import hints as hinting
from pipeline.words import GAME, Puzzle, bingo, count, pangram, perfect_pangram, ranks, score

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would take a tenth of the time of a reply
    from typing import Any


LIKELIEST = 5
"""The number of candidates shown if the list has no pangram."""
LEAST = 0.005
"""The smallest p used in calculations: half of the last digit of p in the list."""

Doubtful = Mapping[str, "Any"]
"""A word of tier review with its `p`."""


class Ask(
    namedtuple(
        "Ask",
        "puzzle order min_length show hints ranks maybe found date official guess",
        defaults=("rank", 4, "words", False, False, False, None, "", None, True),
    )
):
    """A player's question about a puzzle.

    `order` is "rank" or "alpha". `show` is how much of each answer to show: "counts", "letters" (the first one),
    "prefixes" (two letters) or "words". `found` are the words that the player has found, and `official` the answers to
    compare with; None if not given. `guess` requests a pangram if the list has none.
    """

    __slots__ = ()
    puzzle: Puzzle
    order: str
    min_length: int
    show: str
    hints: bool
    ranks: bool
    maybe: bool
    found: Collection[str] | None
    date: str
    official: Collection[str] | None
    guess: bool


class Reply(
    namedtuple(
        "Reply",
        "ask words needed words_found points_found strange maybe missing extra candidates guess sure glosses "
        "difficulty",
        defaults=("", 0.0, None, None),
    )
):
    """The reply to a question. A part that was not asked for is None.

    `words` are the answers that are not found yet; `words_found` and `points_found` count the others. `needed` are the
    ranks of the whole puzzle. `strange` are found words that are not answers. `missing` and `extra` compare with the
    official answers. If the list has no pangram, `guess` is the most likely of the `candidates`, and `sure` the
    probability that it is accepted if any of them is. Callers may add `glosses`, one line per answer, and `difficulty`.
    """

    __slots__ = ()
    ask: Ask
    words: Sequence[str]
    needed: Mapping[str, int] | None
    words_found: int | None
    points_found: int | None
    strange: Sequence[str]
    maybe: Sequence[Doubtful] | None
    missing: Sequence[str] | None
    extra: Sequence[str] | None
    candidates: Sequence[Doubtful] | None
    guess: str
    sure: float
    glosses: Mapping[str, str] | None
    difficulty: float | None


def reply(
    ask: Ask,
    words: Iterable[str],
    doubtful: Callable[[], Iterable[Doubtful]],
    pangrams: Callable[[], Iterable[Doubtful]] = tuple,
) -> Reply:
    """Answer a player from a word list; `doubtful` and `pangrams` are like `solver.load_doubtful_words` and
    `solver.load_pangram_candidates`, called only if needed."""
    every = solver.pangrams_first(solver.scan(words, ask.puzzle))
    has = any(map(pangram, [*every, *solver.scan(ask.found or (), ask.puzzle)]))
    candidates = list(pangrams()) if ask.guess and not has else []
    guess = candidates[0]["word"] if candidates else ""
    every = [guess, *every] if guess else every
    answers = [word for word in every if len(word) >= ask.min_length]
    if ask.order == "alpha":
        answers.sort()
    found = dict.fromkeys(ask.found or ())
    had = None if ask.found is None else [word for word in answers if word in found]
    known = found.keys() | set(every)
    others = [row for row in doubtful() if row["word"] not in known] if ask.maybe else []
    theirs = None if ask.official is None else {word for word in ask.official if len(word) >= ask.min_length}
    return Reply(
        ask,
        [word for word in answers if word not in found],
        ranks(sum(map(score, answers))) if ask.ranks else None,
        None if had is None else len(had),
        None if had is None else sum(map(score, had)),
        [word for word in found if word not in set(every)],
        [row for row in others if len(row["word"]) >= ask.min_length] if ask.maybe else None,
        None if theirs is None else sorted(theirs.difference(answers)),
        None if theirs is None else sorted(set(answers) - theirs),
        candidates[:LIKELIEST] if ask.guess and not has else None,
        guess,
        sureness([float(row["p"]) for row in candidates]),
    )


def sureness(chances: Sequence[float]) -> float:
    """Return the probability that the first word is accepted if at least one of them is; 0 if there are none.

    >>> sureness([0.5]), round(sureness([0.5, 0.5]), 3), sureness([])
    (1.0, 0.667, 0.0)
    """
    least = [max(p, LEAST) for p in chances]
    return least[0] / (1 - prod(1 - p for p in least)) if least else 0.0


def typed(text: str) -> list[str]:
    """Parse words that a player typed or pasted, in any case, with commas or stars between them; return each once.

    >>> typed("Cove, OCTAVE\\ncovenant * cove")
    ['cove', 'octave', 'covenant']
    """
    plain = "".join(letter if letter.isprintable() else " " for letter in text.lower())
    return list(dict.fromkeys(plain.replace(",", " ").replace("*", " ").split()))


def as_json(made: Reply) -> dict[str, Any]:
    """Return a reply as one JSON object; parts that were not asked for are left out."""
    ask, words = made.ask, made.words
    parts: dict[str, Any] = {"center": ask.puzzle.center, "outer": ask.puzzle.outer}
    parts |= {"date": ask.date} if ask.date else {}
    parts |= {"count": len(words), "points": sum(map(score, words)), "pangrams": sum(map(pangram, words))}
    parts |= {"perfect_pangrams": sum(map(perfect_pangram, words)), "bingo": bingo(ask.puzzle, words)}
    if ask.show == "words":
        parts["words"] = [_entry(made, word) for word in words]
    elif ask.show != "counts":
        parts["veiled"] = hinting.revealed(words, ask.show)
    if ask.hints:
        parts |= {"grid": hinting.grid(words), "two_letters": hinting.two_letters(words)}
    if made.difficulty is not None:
        from pipeline.play.difficulty import level  # imported here, because few replies need it

        parts |= {"difficulty": made.difficulty, "level": level(made.difficulty)}
    more: dict[str, Any] = {"ranks": made.needed, "words_found": made.words_found, "points_found": made.points_found}
    shown = {"maybe": made.maybe, "missing": made.missing, "extra": made.extra, "pangram_candidates": made.candidates}
    more |= {name: hinting.revealed(part, ask.show) for name, part in shown.items() if part is not None}
    return parts | {name: part for name, part in more.items() if part is not None}


def _score(words: int, points: int | None) -> str:
    return f"{count(words, 'word')}, {count(points or 0, 'point')}"


def as_text(made: Reply, terminal: bool) -> str:
    """Format a reply as text: bare words for a pipe, also a header and stars for a terminal."""
    parts = as_json(made)
    lines = []
    if made.ask.show != "words" or made.ask.hints:
        lines += hinting.header(parts).split("\n")
        whole = " (of the whole puzzle)" if made.words_found is not None else ""
        lines += [f"DIFFICULTY: {parts['difficulty']}, {parts['level']}{whole}"] if "difficulty" in parts else []
    elif terminal:
        counts = f"{_score(parts['count'], parts['points'])}, {count(parts['pangrams'], 'pangram')}"
        left = "" if made.words_found is None else f" left, {_score(made.words_found, made.points_found)} found"
        lines.append(f"{made.ask.puzzle.letters.upper()}: {counts}{left}")
    if made.ask.hints:
        lines += ["", hinting.grid_text(parts["grid"]), "", hinting.two_letters_text(parts["two_letters"]), ""]
    if made.ask.show == "words":
        for word in made.words:
            lines.append(_line(made, word, terminal))
            lines += [f"    {made.glosses[word]}"] if made.glosses else []
    lines += parts.get("veiled", ())
    if made.needed is not None:
        had = made.points_found
        lines += [""] if had is None else ["", f"Ranks of the whole puzzle; you have {count(had, 'point')}:"]
        lines.append(hinting.ranks_text(made.needed, had))
    if not _bare(made, terminal):
        lines += [line for each in _besides(made) for line in ("", each)]
    return "\n".join(lines).strip("\n")


def _bare(made: Reply, terminal: bool) -> bool:
    """Return whether a reply has nothing but words, for a pipe."""
    return not terminal and made.ask.show == "words" and not made.ask.hints and made.needed is None


def _besides(made: Reply) -> list[str]:
    """Return a line for doubtful words, and for those that the list lacks or has too many."""
    parts = as_json(made)
    names = [name for name in ("maybe", "missing", "extra") if name in parts]
    return [f"{name.capitalize()}: {hinting.listed(parts[name])}" for name in names]


def _entry(made: Reply, word: str) -> dict[str, Any]:
    """Describe an answer, with its definition if asked for; a guess is marked as a guess, with its probability."""
    guessed = {"guess": True, "sure": round(made.sure, 2)} if word == made.guess else {}
    gloss = {} if made.glosses is None else {"gloss": made.glosses[word]}
    return {"word": word, "points": score(word), "pangram": pangram(word), **guessed, **gloss}


def _line(made: Reply, word: str, terminal: bool) -> str:
    """Format an answer as a line, with stars on a terminal; a guess is always marked."""
    line = solver.starred(word) if terminal else word
    return f"{line} ?" if word == made.guess else line


def nothing(made: Reply) -> bool:
    """Return whether the list has no word of the requested length at all, including found words."""
    return not made.words and not set(made.ask.found or ()).difference(made.strange)


def notes(made: Reply, terminal: bool = True) -> list[str]:
    """Return notes about the answers: found words that are not answers, and a pangram that the list does not have; for
    a pipe also the words that are not answers, so that stdout has only answers."""
    least = made.ask.min_length
    longer = f" with at least {least} letters" if least > GAME.min_length else ""
    lines = [f"The list has no word of these letters{longer}."] if nothing(made) else []
    if made.strange:
        more = f" and {len(made.strange) - 10} more" if len(made.strange) > 10 else ""
        lines.append(f"Not among the answers: {', '.join(made.strange[:10])}{more}.")
    if made.candidates is not None:
        lines.append(_on_guess(made, made.candidates))
    return lines + (_besides(made) if _bare(made, terminal) else [])


def _on_guess(made: Reply, candidates: Sequence[Doubtful]) -> str:
    """Return a note that the pangram is a guess, with its probability and the other candidates."""
    lacks = "A puzzle always has a pangram, but the list has none for these letters"
    if not candidates:
        return f"{lacks}, and no candidate that was never refused."
    first, others = hinting.revealed([made.guess], made.ask.show), hinting.revealed(candidates[1:], made.ask.show)
    named = "one answer" if isinstance(first, int) else first[0].split()[0]
    more = f"; other candidates: {hinting.listed(others)}" if len(candidates) > 1 else ""
    return f"{lacks}; {named} (?) is a guess, {made.sure:.0%} sure{more}."
