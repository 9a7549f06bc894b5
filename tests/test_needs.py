"""The line that says at the end which tests were skipped."""

import needs
from sampling import sampled, short_and_long


def test_what_is_lacking_is_grouped_by_the_command_that_installs_it():
    tools = [f"Skipped: needs {tool}: make tools" for tool in ("node", "a browser", "node")]
    line = needs.sum_of_skips(["Skipped: needs uv: pip install uv", *tools, "Skipped: go is not here"])
    says = "without a browser, node (`make tools`); without uv (`pip install uv`); go is not here."
    assert line == f"Some tests were skipped: {says}"


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
