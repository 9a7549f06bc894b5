"""`bee changes`: compares two releases from any place."""

import pytest
from conftest import reseal

from pipeline.publishing import changes


def release(folder, rows):
    folder.mkdir()
    lines = [row.replace("\n", ",accepted\n") for row in rows]
    (folder / "words.csv").write_text("word,tier,p,offered,accepted,flags,because,kind\n" + "".join(lines))
    listed = [row.split(",")[0] for row in rows if row.split(",")[1] in ("core", "likely")]
    (folder / "wordlist.txt").write_text("".join(f"{word}\n" for word in listed))
    (folder / "SHA256SUMS").write_text("")
    reseal(folder)
    return folder


@pytest.fixture
def two(tmp_path):
    """Two releases: *cave* was refused, *cove* rose without moving, *null* is gone, *octave* came, *zax* stays out."""
    old = ["cave,core,,1,1,,was\n", "cove,likely,0.9,0,0,,p\n", "null,core,,1,1,,was\n", "zax,review,0.2,0,0,,p\n"]
    new = [
        "cave,refused,,2,1,,late\n",
        "cove,core,,1,1,,seen\n",
        'octave,likely,0.8,0,0,,"p, high"\n',
        "zax,refused,,1,0,,no\n",
    ]
    return release(tmp_path / "old", old), release(tmp_path / "new", new)


def test_two_folders_are_compared(bee, two):
    done = bee("changes", *two)
    assert done.out.splitlines() == [
        "word,change,before,after,because",
        "cave,removed,core,refused,late",
        f'null,removed,core,,"{changes.GONE}"',
        'octave,added,,likely,"p, high"',
    ]
    assert (done.code, done.err) == (0, "1 word added, 2 removed.\n")
    assert bee("changes", two[0], two[0]).out.splitlines() == ["word,change,before,after,because"]


REASONS = {
    "kept": ("estimate", "verdict", "Decided by a person"),
    "rekept": ("verdict", "verdict", "Decided by a person"),
    "unkept": ("verdict", "estimate", "A verdict was removed"),
    "unkeptgone": ("verdict", None, "A verdict was removed"),
    "undropped": ("verdict", "accepted", "A verdict was removed"),
    "tried": ("estimate", "refused", "Decided by a puzzle"),
    "retried": ("refused", "accepted", "Decided by a puzzle"),
    "untried": ("accepted", "estimate", "A trial does not count any more"),
    "allium": ("accepted", None, "A trial does not count any more"),
    "gone": ("estimate", None, "No longer a common word of any list"),
    "graded": ("estimate", "vulgar", "Slurs, strong vulgarities and explicit words that were never accepted"),
    "covenant": ("estimate", "estimate", changes.OTHERS),
    "old": ("", "estimate", changes.OTHERS),
}
"""Words with the kind of reason in the last release and now, and the group in which they belong."""
DAYS = {"tried": "2026-07-23", "retried": "2026-07-24"}


def test_each_word_stands_in_the_group_of_what_moved_it():
    added = {"kept", "undropped"}
    was = {word: kind for word, (kind, _, _) in REASONS.items() if kind}
    because = {word: f"so, on {DAYS.get(word, '')}" for word in REASONS}
    now = {word: {"kind": kind, "because": because[word]} for word, (_, kind, _) in REASONS.items() if kind}
    text = changes.changes_text(
        changes.ReleaseChanges(
            version_before="1",
            version="2",
            list_before=sorted(REASONS.keys() - added),
            list_now=sorted(added),
            decisions=now,
            kinds_before=was,
            explanation="What moved words: a test.",
            without_trial=[{"date": "2025-01-02", "word": "zzyzx", "because": "nyt alone accepts it"}],
        )
    )
    assert text.startswith("# Changes in 2\n\nWhat moved words: a test.\n\nSince 1: ")
    text, _, without = text.partition("\n## Without a trial\n")
    assert without.endswith("\n- `zzyzx`: nyt alone accepts it\n")
    found, name = {}, ""
    for line in text.splitlines():
        name = line[4:].rpartition(":")[0] if line.startswith("### ") else name
        if line.startswith("- `"):
            found[line.split("`")[1]] = name
    assert found == {word: name for word, (_, _, name) in REASONS.items()}
    under_days = text.partition("### Decided by a puzzle: 2\n\n")[2].partition("\n\n### ")[0].split("\n\n")
    assert under_days == [
        "#### 2026-07-24", "- `retried`: so, on 2026-07-24", "#### 2026-07-23", "- `tried`: so, on 2026-07-23",
    ]  # fmt: skip
    assert "- `allium`: no list has it as a common word, and no puzzle accepted it" in text.splitlines()


def test_an_edited_release_or_none_at_all_is_an_error(bee, two, tmp_path):
    (two[1] / "words.csv").write_text("word,tier,because\n")
    for place in (two[1], "no-such-file", tmp_path):
        failed = bee("changes", two[0], place)
        assert (failed.code, failed.out) == (1, ""), place


@pytest.mark.parametrize(
    ("after", "says"),
    [
        ({"covers": {"days": 12}}, "2 new days."),
        ({"covers": {"days": 11}}, "1 new day."),
        ({"sources": ["other"], "made_with": {"model.csv": "b"}}, "other word lists; new weights of the estimates"),
        ({}, "No new days, word lists or weights"),
    ],
)
def test_the_changes_say_first_what_moved_words(after, says):
    before = {"covers": {"days": 10}, "sources": ["one"], "made_with": {"model.csv": "a"}}
    assert says in changes.explain_release(before, {**before, **after})
