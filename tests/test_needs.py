"""The line that says at the end which tests were skipped."""

import needs
import pytest
from sampling import sampled, short_and_long


@pytest.mark.parametrize(
    ("reasons", "line"),
    [
        (
            [
                "Skipped: needs node: make tools",
                "Skipped: needs a browser: make tools",
                "Skipped: needs node: make tools",
            ],
            "Some tests were skipped: without a browser, node (`make tools`).",
        ),
        (
            ["Skipped: needs uv: pip install uv", "Skipped: needs node: make tools", "Skipped: go is not here"],
            "Some tests were skipped: without node (`make tools`); without uv (`pip install uv`); go is not here.",
        ),
    ],
)
def test_what_is_lacking_is_grouped_by_the_command_that_installs_it(reasons, line):
    assert needs.sum_of_skips(reasons) == line


def test_a_test_is_skipped_for_the_first_tool_that_is_not_here(monkeypatch):
    here, lacking = (lambda: True, "make tools"), (lambda: False, "make engines")
    monkeypatch.setattr(needs, "TOOLS", {"one": here, "other": lacking})
    with pytest.raises(pytest.skip.Exception, match="needs other: make engines"):
        needs.require("one", "other")


def test_the_suite_runs_a_sample_and_leaves_the_others_to_make_faults():
    for plain, param in (sampled(["now", "later"], ["now"]), short_and_long("now", "later")):
        assert plain == "now"
        assert (param.values, [mark.name for mark in param.marks]) == (("later",), ["faults"])


def test_every_make_target_that_a_skip_names_is_in_the_makefile():
    makefile = (needs.Path(needs.__file__).parents[1] / "Makefile").read_text()
    commands = {command for _, command in needs.TOOLS.values()}
    targets = {command.rpartition("make ")[2] for command in commands if "make " in command}
    assert targets >= {"tools", "engines", "test"}
    assert [target for target in targets if f"\n{target}:" not in makefile] == []
