"""`bee run --no-publish` decides and checks as a release does, says what it would change, and publishes nothing."""

import pytest
from conftest import SAMPLE, snapshot

from pipeline.commands import make
from pipeline.run.stages import STAGES

pytestmark = pytest.mark.slow

VERDICT = "word,verdict,reason,by,on\nzine,drop,a rare word,ann,2026-01-02\n"


def test_it_says_what_a_release_would_change_and_changes_no_file_of_release_or_record(ran, bee):
    (ran / "custom/verdicts.csv").write_text(VERDICT)
    before = snapshot(ran / "custom")
    done = bee("run", "--no-publish", "--data", ran)
    assert done.code == 0, done.err
    assert "publish" not in done.out
    preview = "A release would add 0 words.\nA release would remove 2 words: zine, zines.\nNothing was published.\n"
    assert done.err.endswith(preview)
    assert snapshot(ran / "custom") == before

    again = bee("run", "--no-publish", "--data", ran)
    assert again.out.count("up to date") == len(STAGES) - 1
    assert again.err.endswith(preview)
    diff = bee("diff", "--data", ran)
    assert (diff.code, "from before the last change" in diff.err) == (0, False)
    assert snapshot(ran / "custom") == before

    published = bee("run", "--data", ran)
    assert "added 0, removed 2" in published.out
    assert "Nothing was published." not in published.err
    after = bee("run", "--no-publish", "--data", ran)
    assert "A release would add 0 words.\nA release would remove 0 words.\n" in after.err


def test_before_the_first_release_every_word_would_be_added(data, bee):
    bee("import", SAMPLE, "--data", data)
    done = bee("run", "--no-publish", "--data", data)
    assert done.code == 0, done.err
    assert not (data / "custom/wordlist.txt").exists()
    published = bee("run", "--data", data)
    words = (data / "custom/wordlist.txt").read_text().split()
    assert f"A release would add {len(words)} words: {', '.join(words[:20])} and {len(words) - 20} more." in done.err
    assert f"words {len(words)}, added {len(words)}" in published.out


def test_a_release_that_would_be_refused_is_an_error_after_the_comparison(ran, bee):
    (ran / "custom/verdicts.csv").write_text(VERDICT.replace("drop", "perhaps"))
    refused = bee("run", "--no-publish", "--data", ran)
    assert refused.code == 1
    assert refused.err.index("A release would add") < refused.err.index("verdict-broken")


@pytest.mark.parametrize(("words", "more"), [(19, ""), (20, ""), (21, " and 1 more")])
def test_at_most_20_words_are_named(words, more):
    named = [f"w{at:02}" for at in range(words)]
    assert make._some_words(named) == f"{words} words: {', '.join(named[:20])}{more}"
