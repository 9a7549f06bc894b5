"""The workflows: pinned actions, least privilege, and no untrusted text in a shell."""

import re
import subprocess
import sys
from pathlib import Path

import check_jsonschema
import pytest
import yaml
from conftest import PROJECT

WORKFLOWS = sorted((PROJECT / ".github/workflows").glob("*.yml"))
WRITING = {
    "daily.yml": {"contents"},
    "release.yml": {"contents", "id-token", "attestations", "actions"},
    "pages.yml": {"pages", "id-token"},
    "test.yml": set(),
    "faults.yml": set(),
}
"""What the jobs of each workflow may write, all together."""


def jobs(path):
    return yaml.safe_load(path.read_text())["jobs"].values()


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_pins_every_action_may_do_no_more_than_it_must_ends_and_puts_no_expression_into_a_shell(path):
    text = path.read_text()
    for line in re.findall(r"uses: .*", text):
        assert re.fullmatch(r"uses: [\w./-]+@[0-9a-f]{40} # \S+", line), line
    assert set(yaml.safe_load(text)["permissions"].values()) <= {"read"}
    rights = [job.get("permissions", {}) for job in jobs(path)]
    assert {name for each in rights for name, right in each.items() if right == "write"} == WRITING[path.name]
    longest = 240 if path.name == "faults.yml" else 60
    for job in jobs(path):
        assert job["timeout-minutes"] <= longest
        assert not [step["run"] for step in job["steps"] if "${{" in step.get("run", "")]
    assert not re.findall(r"\$\{\{\s*github\.event\.\S+", text), "a text of an event is only compared"


BIN = Path(sys.executable).parent
FORMS = PROJECT / ".github/ISSUE_TEMPLATE"
KINDS = {
    "github-workflows": WORKFLOWS,
    "github-issue-forms": [path for path in sorted(FORMS.glob("*.yml")) if path.name != "config.yml"],
    "github-issue-config": [FORMS / "config.yml"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_workflows_and_forms_have_the_form_that_the_hosting_service_reads(kind, capsys):
    with pytest.raises(SystemExit) as done:
        check_jsonschema.main(["--builtin-schema", f"vendor.{kind}", *map(str, KINDS[kind])])
    assert not done.value.code, capsys.readouterr().out


def test_a_linter_finds_no_way_into_a_workflow():
    command = [BIN / "zizmor", "--offline", "--quiet", "--no-progress", "--format", "plain", PROJECT / ".github"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def read(name):
    """A workflow, by a loader that does not take the key `on` for true."""
    return yaml.load((PROJECT / ".github/workflows" / name).read_text(), yaml.BaseLoader)


def test_the_daily_workflow_is_off_until_it_is_turned_on_and_only_its_second_job_writes_after_the_first():
    daily = read("daily.yml")
    assert set(daily["on"]) == {"schedule", "workflow_dispatch"}
    make, commit = daily["jobs"]["make"], daily["jobs"]["commit"]
    assert make["if"] == "github.event_name == 'workflow_dispatch' || vars.BEE_DAILY == 'on'"
    assert (make["permissions"], make["steps"][0]["with"]["persist-credentials"]) == ({"contents": "read"}, "false")
    assert (commit["needs"], commit["permissions"]) == ("make", {"contents": "write"})
    assert daily["concurrency"] == {"group": "daily", "cancel-in-progress": "false"}


def test_the_second_job_of_the_daily_workflow_runs_no_program_but_the_shell_and_git():
    shell = "".join(step.get("run", "") for step in read("daily.yml")["jobs"]["commit"]["steps"])
    assert not re.search(r"\b(bee|pip|python3?|make|sh|bash|eval|source)\s|(?<![.])[.]/|[.]sh\b|[.]py\b", shell)


def test_the_page_is_published_from_main_after_a_daily_run_that_was_not_skipped():
    pages = read("pages.yml")
    assert pages["on"]["workflow_run"] == {"workflows": ["daily"], "types": ["completed"]}
    build = pages["jobs"]["build"]
    assert set(re.findall(r"conclusion == '(\w+)'", build["if"])) == {"success", "failure"}
    assert build["steps"][0]["with"]["ref"] == "${{ github.event_name == 'workflow_run' && 'main' || github.ref }}"


def test_the_long_tests_run_every_week_and_on_a_release_and_the_others_as_the_gate_runs_them():
    workflow = read("faults.yml")
    assert (workflow["on"]["push"], workflow["on"]["schedule"]) == ({"tags": ["20*"]}, [{"cron": "17 4 * * 0"}])
    assert "make faults" in [step.get("run") for step in workflow["jobs"]["faults"]["steps"]]
    assert ".ci/run" in [step.get("run") for step in read("test.yml")["jobs"]["test"]["steps"]]


@pytest.mark.parametrize(
    ("owner", "name", "own", "address"),
    [
        ("Some-One", "Bee-List", "", "https://some-one.github.io/Bee-List"),
        ("Some-One", "some-one.github.io", "", "https://some-one.github.io"),
        ("Some-One", "bee", "https://bee.example.org", "https://bee.example.org"),
    ],
)
def test_the_page_gets_the_address_that_it_is_published_at(tmp_path, owner, name, own, address):
    (build, _) = jobs(PROJECT / ".github/workflows/pages.yml")
    (step,) = [step for step in build["steps"] if "bee site" in step.get("run", "")]
    assert step["env"] == {"SITE_ADDRESS": "${{ vars.SITE_ADDRESS }}"}
    (tmp_path / "bee").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "bee").chmod(0o755)
    given = {"GITHUB_REPOSITORY_OWNER": owner, "GITHUB_REPOSITORY": f"{owner}/{name}", "SITE_ADDRESS": own}
    given["PATH"] = f"{tmp_path}:/usr/bin:/bin"
    done = subprocess.run(["bash", "-e"], input=step["run"], env=given, capture_output=True, text=True, check=True)
    assert done.stdout.endswith(f" --repository https://github.com/{owner}/{name} --address {address}\n")
