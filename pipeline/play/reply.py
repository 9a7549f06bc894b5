"""The reply to a player: the answers of a puzzle, or only the part of them that the player asked for.

`answer` finds everything once; `as_json` and `as_text` format it. Standard library only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from pipeline import solver
from pipeline.play import difficulty, hints
from pipeline.solver import Candidate
from pipeline.words import Puzzle, bingo, count, pangram, perfect_pangram, ranks, score, without_comment

MAX_CANDIDATES = 5
"""The maximum number of candidates that are shown if the list has no pangram."""
MIN_P = 0.005
"""The smallest p that is used in calculations: half of the last digit of p in the list."""
MAX_WRONG_WORDS = 10
"""The maximum number of wrong words, and of repeated words, that a note names."""


@dataclass(frozen=True, slots=True)
class Question:
    """A player's question about a puzzle.

    `show` is how much of the answers to show: "counts", "letters" (the first letter), "prefixes" (two letters) or
    "words". `found` are the words that the player has found, and `official` are the answers to compare with; both can
    be None. `guess` asks for a guess if the list has no pangram.
    """

    puzzle: Puzzle
    show: str = "words"
    hints: bool = False
    maybe: bool = False
    found: Collection[str] | None = None
    date: str = ""
    official: Collection[str] | None = None
    guess: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a question. A part that was not asked for is None.

    `words` are the answers that are not found yet; `words_found` and `points_found` count the others. `rank_points` are
    the points that each rank of the whole puzzle needs. `wrong_words` are found words that are not answers, and
    `repeated_words` those that were named more than once. `missing`
    and `extra` are the differences from the official answers. If the list has no pangram, `guess` is the most likely of
    the `candidates`, and `guess_p` is the probability that it is accepted if any of them is accepted. Callers may add
    `glosses`, one line per answer, and `difficulty`.
    """

    question: Question
    words: Sequence[str]
    rank_points: Mapping[str, int] | None
    words_found: int | None
    points_found: int | None
    wrong_words: Sequence[str]
    repeated_words: Sequence[str]
    doubtful: Sequence[Candidate] | None
    missing: Sequence[str] | None
    extra: Sequence[str] | None
    candidates: Sequence[Candidate] | None
    guess: str
    guess_p: float
    glosses: Mapping[str, str] | None = None
    difficulty: float | None = None


def answer(
    question: Question,
    words: Iterable[str],
    load_doubtful_words: Callable[[], Iterable[Candidate]] = tuple,
    load_pangram_candidates: Callable[[], Iterable[Candidate]] = tuple,
) -> Reply:
    """Return the reply to a player from a word list. The two functions have the results of those in `solver` with these
    names, and are called only if needed."""
    answers = solver.pangrams_first(solver.scan(words, question.puzzle))
    found = dict.fromkeys(question.found or ())
    found_or_listed = [*answers, *solver.scan(found, question.puzzle)]
    needs_guess = question.guess and not any(map(pangram, found_or_listed))
    candidates = list(load_pangram_candidates()) if needs_guess else []
    guess = candidates[0]["word"] if candidates else ""
    if guess:
        answers.insert(0, guess)
    found_answers = None if question.found is None else [word for word in answers if word in found]
    official = question.official
    return Reply(
        question=question,
        words=[word for word in answers if word not in found],
        rank_points=ranks(sum(map(score, answers))) if question.hints else None,
        words_found=None if found_answers is None else len(found_answers),
        points_found=None if found_answers is None else sum(map(score, found_answers)),
        wrong_words=[word for word in found if word not in set(answers)],
        repeated_words=[word for word, number in Counter(question.found or ()).items() if number > 1],
        doubtful=_unknown(load_doubtful_words(), {*found, *answers}) if question.maybe else None,
        missing=None if official is None else sorted(set(official).difference(answers)),
        extra=None if official is None else sorted(set(answers).difference(official)),
        candidates=candidates[:MAX_CANDIDATES] if needs_guess else None,
        guess=guess,
        guess_p=guess_probability([candidate["p"] for candidate in candidates]),
    )


def _unknown(doubtful: Iterable[Candidate], known: Collection[str]) -> list[Candidate]:
    """Return the doubtful words that are neither answers nor found."""
    return [row for row in doubtful if row["word"] not in known]


def guess_probability(probabilities: Sequence[float]) -> float:
    """Return the probability that the first of some words is accepted if at least one is accepted; 0 if there are no
    words.

    >>> guess_probability([0.5]), round(guess_probability([0.5, 0.5]), 3), guess_probability([])
    (1.0, 0.667, 0.0)
    """
    if not probabilities:
        return 0.0
    at_least = [max(p, MIN_P) for p in probabilities]
    return at_least[0] / (1 - prod(1 - p for p in at_least))


_BETWEEN_WORDS = re.compile(r"""[\s,;:.*|"'“”‘’()\[\]{}<>]+""")
"""What separates words that a player typed or pasted, also from a JSON array. The page uses the same characters."""


def parse_words(text: str) -> list[str]:
    """Return the words that a player typed or pasted, in lower case, in order.

    >>> parse_words("Cove; OCTAVE.\\ncovenant * cove"), parse_words('["cove", "octave"]')
    (['cove', 'octave', 'covenant', 'cove'], ['cove', 'octave'])
    """
    lines = [without_comment(line) for line in text.lower().splitlines()]
    printable = "".join(letter if letter.isprintable() else " " for letter in "\n".join(lines))
    return [word for word in _BETWEEN_WORDS.split(printable) if word]


def as_json(reply: Reply) -> dict[str, Any]:
    """Return a reply as one JSON object; parts that were not asked for are left out."""
    question, words = reply.question, reply.words
    parts: dict[str, Any] = {"center": question.puzzle.center, "outer": question.puzzle.outer}
    if question.date:
        parts["date"] = question.date
    parts["count"] = len(words)
    parts["points"] = sum(map(score, words))
    parts["pangrams"] = sum(map(pangram, words))
    parts["perfect_pangrams"] = sum(map(perfect_pangram, words))
    parts["bingo"] = bingo(question.puzzle, words)
    if question.show == "words":
        parts["words"] = [_entry(reply, word) for word in words]
    elif question.show != "counts":
        parts["veiled"] = hints.reveal(words, question.show)
    if question.hints:
        parts["grid"] = hints.grid(words)
        parts["two_letters"] = hints.two_letters(words)
    if reply.difficulty is not None:
        parts["difficulty"] = reply.difficulty
        parts["level"] = difficulty.level(reply.difficulty)
    numbers = {"ranks": reply.rank_points, "words_found": reply.words_found, "points_found": reply.points_found}
    parts |= {name: number for name, number in numbers.items() if number is not None}
    lists: dict[str, Sequence[str] | Sequence[Candidate] | None] = {
        "maybe": reply.doubtful,
        "missing": reply.missing,
        "extra": reply.extra,
        "pangram_candidates": reply.candidates,
    }
    return parts | {name: hints.reveal(part, question.show) for name, part in lists.items() if part is not None}


def _entry(reply: Reply, word: str) -> dict[str, Any]:
    """Return an answer as JSON, with its definition if that was asked for. A guess is marked and has its
    probability."""
    entry: dict[str, Any] = {"word": word, "points": score(word), "pangram": pangram(word)}
    if word == reply.guess:
        entry |= {"guess": True, "sure": round(reply.guess_p, 2)}
    if reply.glosses is not None:
        entry["gloss"] = reply.glosses[word]
    return entry


def as_text(reply: Reply, terminal: bool) -> str:
    """Return a reply as text: only words for a pipe; with a header and stars for a terminal."""
    question, parts = reply.question, as_json(reply)
    lines = _header(reply, parts, terminal)
    if question.hints:
        lines += [
            "",
            hints.grid_text(parts["grid"]),
            "",
            hints.two_letters_text(parts["two_letters"]),
            "",
            _ranks_text(reply),
            "",
        ]
    if question.show == "words":
        for word in reply.words:
            lines.append(_line(reply, word, terminal))
            if reply.glosses:
                lines.append(f"    {reply.glosses[word]}")
    lines += parts.get("veiled", ())
    if not _is_bare(reply, terminal):
        for line in _other_words(parts):
            lines += ["", line]
    return "\n".join(lines).strip("\n")


def _ranks_text(reply: Reply) -> str:
    """Return the points that each rank needs, with those of the player if words are found."""
    text = hints.ranks_text(reply.rank_points or {}, reply.points_found)
    if reply.points_found is None:
        return text
    return f"Ranks of the whole puzzle; you have {count(reply.points_found, 'point')}:\n{text}"


def _header(reply: Reply, parts: Mapping[str, Any], terminal: bool) -> list[str]:
    """Return the lines above the answers: counts if the player asked for them or uses a terminal."""
    has_found = reply.words_found is not None
    if reply.question.show != "words" or reply.question.hints:
        lines = hints.header(parts).split("\n")
        if reply.difficulty is not None:
            whole = " (of the whole puzzle)" if has_found else ""
            lines.append(f"DIFFICULTY: {parts['difficulty']}, {parts['level']}{whole}")
        return lines
    if not terminal:
        return []
    line = f"{reply.question.puzzle.letters.upper()}: {_words_and_points(parts['count'], parts['points'])}"
    line += f", {count(parts['pangrams'], 'pangram')}"
    if has_found:
        line += f" left, {_words_and_points(parts['words_found'], parts['points_found'])} found"
    return [line]


def _words_and_points(words: int, points: int) -> str:
    return f"{count(words, 'word')}, {count(points, 'point')}"


def _is_bare(reply: Reply, terminal: bool) -> bool:
    """Return whether a reply consists only of words, because it is for a pipe."""
    question = reply.question
    return not terminal and question.show == "words" and not question.hints


def _other_words(parts: Mapping[str, Any]) -> list[str]:
    """Return the lines with the doubtful, the missing and the extra words, from the JSON of a reply."""
    names = [name for name in ("maybe", "missing", "extra") if name in parts]
    return [f"{name.capitalize()}: {hints.as_line(parts[name])}" for name in names]


def _line(reply: Reply, word: str, terminal: bool) -> str:
    """Return an answer as a line, with stars on a terminal. A guess is always marked."""
    line = solver.starred(word) if terminal else word
    return f"{line} ?" if word == reply.guess else line


def is_empty(reply: Reply) -> bool:
    """Return whether the list has no word for the letters, found words included."""
    return not reply.words and not set(reply.question.found or ()).difference(reply.wrong_words)


def notes(reply: Reply, terminal: bool = True) -> list[str]:
    """Return notes about the answers: an empty list, found words that are not answers, and a guess. For a pipe, they
    also have the doubtful, missing and extra words, so that stdout has only answers."""
    lines = []
    if is_empty(reply):
        lines.append("The list has no words for these letters.")
    if reply.wrong_words:
        number_of_others = len(reply.wrong_words) - MAX_WRONG_WORDS
        others = f" and {number_of_others} more" if number_of_others > 0 else ""
        lines.append(f"These words are not answers: {', '.join(reply.wrong_words[:MAX_WRONG_WORDS])}{others}.")
    if reply.repeated_words:
        lines.append(f"Found more than once: {', '.join(reply.repeated_words[:MAX_WRONG_WORDS])}.")
    if reply.candidates is not None:
        lines.append(_note_on_guess(reply, reply.candidates))
    if _is_bare(reply, terminal):
        lines += _other_words(as_json(reply))
    return lines


def _note_on_guess(reply: Reply, candidates: Sequence[Candidate]) -> str:
    """Return a note that the pangram is a guess, with its probability and the other candidates, or that there is
    none."""
    problem = "A puzzle always has a pangram, but the list has none for these letters"
    if not candidates:
        return f"{problem}, and there is no candidate for a guess."
    show = reply.question.show
    veiled_or_number = hints.reveal([reply.guess], show)
    shown_guess = "one answer"
    if not isinstance(veiled_or_number, int):
        shown_guess = str(veiled_or_number[0]).split()[0]  # without its length
    others = ""
    if len(candidates) > 1:
        others = f"; other candidates: {hints.as_line(hints.reveal(candidates[1:], show))}"
    return f"{problem}; {shown_guess} (?) is a guess with a probability of {reply.guess_p:.0%}{others}."
