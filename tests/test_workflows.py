"""The workflows: pinned actions, least privilege, and no untrusted text in a shell."""

import re
import subprocess
import sys
from pathlib import Path

import check_jsonschema
import pytest
import yaml
from conftest import PROJECT

from pipeline.publishing import verify

WORKFLOWS = sorted((PROJECT / ".github/workflows").glob("*.yml"))
WRITING = {
    "daily.yml": {"contents", "pull-requests", "actions"},
    "proposal.yml": {"contents", "issues", "pull-requests"},
    "release.yml": {"contents", "id-token", "attestations", "actions"},
    "pages.yml": {"pages", "id-token"},
    "test.yml": set(),
    "faults.yml": set(),
}
"""What the jobs of each workflow may write, all together."""


def jobs(path):
    return yaml.safe_load(path.read_text())["jobs"].values()


def test_there_is_a_workflow_for_tests_faults_releases_pages_days_and_proposals():
    assert {path.name for path in WORKFLOWS} == set(WRITING)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_pins_every_action_may_do_no_more_than_it_must_and_ends(path):
    text = path.read_text()
    for line in re.findall(r"uses: .*", text):
        assert re.fullmatch(r"uses: [\w./-]+@[0-9a-f]{40} # \S+", line), line
    assert set(yaml.safe_load(text)["permissions"].values()) <= {"read"}
    rights = [job.get("permissions", {}) for job in jobs(path)]
    assert {name for each in rights for name, right in each.items() if right == "write"} == WRITING[path.name]
    longest = 240 if path.name == "faults.yml" else 60
    assert all(job["timeout-minutes"] <= longest for job in jobs(path))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_no_expression_is_put_into_a_shell_and_no_text_of_an_event_is_taken_but_to_compare_it(path):
    for job in jobs(path):
        assert not [step["run"] for step in job["steps"] if "${{" in step.get("run", "")]
    used = set(re.findall(r"\$\{\{\s*(github\.event\.\S+)", path.read_text()))
    assert used <= {"github.event.issue.number"}


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


def test_a_linter_finds_no_way_into_a_workflow(tmp_path):
    command = [BIN / "zizmor", "--offline", "--quiet", "--no-progress", "--format", "plain"]
    done = subprocess.run([*command, PROJECT / ".github"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    text = (PROJECT / ".github/workflows/proposal.yml").read_text()
    bad = tmp_path / "bad.yml"
    bad.write_text(
        text.replace("- run: python .github", '- run: echo "${{ github.event.issue.title }}" && python .github')
    )
    found = subprocess.run([*command, bad], capture_output=True, text=True, check=False)
    assert (found.returncode > 0, "template-injection" in found.stdout) == (True, True)


def test_the_daily_workflow_is_off_until_it_is_turned_on_and_a_push_of_decisions_replaces_no_run_that_fetches():
    text = (PROJECT / ".github/workflows/daily.yml").read_text()
    daily = yaml.load(text, yaml.BaseLoader)  # a loader that does not take the key `on` for true
    assert daily["jobs"]["make"]["if"] == "github.event_name == 'workflow_dispatch' || vars.BEE_DAILY == 'on'"
    begun = {name for name, job in daily["jobs"].items() if "needs" not in job}
    assert begun == {"make"}, "no other job runs without it"
    push = daily["on"]["push"]
    assert push["branches"] == ["main"]
    assert push["paths"] == [f"data/custom/{name}" for name in verify.DECISIONS]
    assert daily["on"]["workflow_dispatch"]["inputs"]["fetch"]["options"] == ["true", "false"]
    fetches = "github.event_name != 'push' && inputs.fetch != 'false'"
    assert daily["env"]["FETCH"] == f"${{{{ {fetches} }}}}"
    assert daily["concurrency"] == {
        "group": f"daily-${{{{ {fetches} && 'fetch' || 'push' }}}}",
        "cancel-in-progress": "false",
    }


def test_the_long_tests_run_every_week_and_on_a_release():
    workflow = yaml.load((PROJECT / ".github/workflows/faults.yml").read_text(), yaml.BaseLoader)
    assert workflow["on"]["push"] == {"tags": ["20*"]}
    assert workflow["on"]["schedule"] == [{"cron": "17 4 * * 0"}]
    assert "make faults" in [step.get("run") for step in workflow["jobs"]["faults"]["steps"]]


def test_the_tests_run_what_the_gate_runs():
    test = yaml.safe_load((PROJECT / ".github/workflows/test.yml").read_text())["jobs"]["test"]
    assert ".ci/run" in [step.get("run") for step in test["steps"]]


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
