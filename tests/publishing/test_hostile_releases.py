"""Releases from strangers: whatever a folder or an archive has, `verify` and `changes` end in one sentence, soon,
and with little memory."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import struct
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Bee, Result

from pipeline import reader

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="pipes and limits of Unix")]

MEMORY, SECONDS = 3_000_000_000, 60
"""What a command may take: address space, and time on a busy machine."""
MB = 1_000_000


def limited_bee(*arguments: object) -> Result:
    """Run a command in a process of its own, with a limit on memory and time."""
    import resource

    done = subprocess.run(
        [sys.executable, "-m", "pipeline", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    return Result(done.returncode, done.stdout, done.stderr)


ALL = ("verify", "changes")


def refused(run: Bee, release: Path, says: str = "", commands: tuple[str, ...] = ALL) -> None:
    """Give a release to each command; each must refuse it in one line."""
    arguments = {
        "verify": ("verify", release),
        "changes": ("changes", release, release),
    }
    for command in commands:
        done = run(*arguments[command])
        assert (done.code, done.out, done.err.count("\n")) == (1, "", 1), (command, done.err[-800:])
        assert done.err.startswith("bee: "), (command, done.err[-800:])
        assert says in done.err, (command, done.err)


@pytest.fixture(scope="module")
def workspace(ran_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace that no command changes here."""
    return Path(shutil.copytree(ran_once, tmp_path_factory.mktemp("hostile") / "work"))


@pytest.fixture
def release(workspace: Path, tmp_path: Path) -> Path:
    """A release in a folder, to be spoilt."""
    return Path(shutil.copytree(workspace / "custom", tmp_path / "release"))


def add(folder: Path, name: str, data: bytes = b"x") -> None:
    """Put a file into a release, and name it in its checksums."""
    with (folder / reader.SUMS).open("a") as sums:
        sums.write(f"{reader.sha256(data)}  {name}\n")
    if "/" not in name:
        (folder / name).write_bytes(data)


def rewrite(folder: Path, name: str, change: Callable[[str], str]) -> None:
    """Change a file of a release, and update its description and checksums, as a forger would."""
    path = folder / name
    path.write_text(change(path.read_text()))
    if name != reader.PACKAGE:
        package = json.loads((folder / reader.PACKAGE).read_text())
        for resource in package["resources"]:
            data = (folder / resource["path"]).read_bytes()
            resource |= {"bytes": len(data), "hash": f"sha256:{reader.sha256(data)}"}
        (folder / reader.PACKAGE).write_text(json.dumps(package))
    names = reader.parse_checksums((folder / reader.SUMS).read_bytes(), folder)
    (folder / reader.SUMS).write_bytes(reader.format_checksums({name: (folder / name).read_bytes() for name in names}))


# ---------------------------------------------------------------- folders


@pytest.mark.parametrize("name", [reader.SUMS, "words.csv", "LICENSES.txt"])
def test_what_is_not_a_regular_file_is_not_read(bee, release, name):
    says = f"{name} is not a regular file"
    content = (release / name).read_bytes()
    (release / name).unlink()
    os.mkfifo(release / name)
    refused(limited_bee, release, says, ALL if name == reader.SUMS else ("verify",))
    (release / name).unlink()
    (release / name).symlink_to("/dev/zero")
    refused(limited_bee, release, says, ("verify",))
    (release / name).unlink()
    (release / name).mkdir()
    refused(bee, release, says)
    (release / name).rmdir()
    (release / name).write_bytes(content)
    assert bee("verify", release).code == 0


def test_a_pipe_beside_a_release_is_no_file_and_nothing_waits_for_it(release):
    (release / "model.csv").unlink()
    os.mkfifo(release / "model.csv")
    (release / "verdicts.csv").unlink(missing_ok=True)
    (release / "verdicts.csv").symlink_to("/dev/zero")
    refused(limited_bee, release, "model.csv is missing", ("verify",))


def test_the_files_of_a_release_have_a_limit_all_together(bee, release):
    checksum = reader.sha256(bytes(20 * MB))
    for number in range(12):
        path = release / f"more{number}.txt"
        with path.open("wb") as file:
            file.truncate(20 * MB)  # sparse, so that it takes no room
        with (release / reader.SUMS).open("a") as sums:
            sums.write(f"{checksum}  {path.name}\n")
    refused(bee, release, "is larger than 100 MB, so it is not a release")


def test_a_million_checksums_and_a_checksum_file_of_any_size_are_refused(release):
    (release / reader.SUMS).write_text("".join(f"{number:064x}  {number}.txt\n" for number in range(1_000_000)))
    refused(limited_bee, release, "too long for a release")
    with (release / reader.SUMS).open("wb") as file:
        file.truncate(50_000 * MB)
    refused(limited_bee, release, "too long for a release", ("verify",))


@pytest.mark.parametrize(
    "name", ["../outside.txt", "/etc/passwd", "a/../../outside.txt", "..", "a\0b", "C:evil", ".\\x"]
)
def test_no_file_outside_of_a_release_is_read_or_written(bee, release, tmp_path, name):
    (tmp_path / "outside.txt").write_bytes(b"x")
    with (release / reader.SUMS).open("ab") as sums:
        sums.write(f"{reader.sha256(b'x')}  {name}\n".encode())
    refused(bee, release, "SHA256SUMS in", ("verify",))


# ---------------------------------------------------------------- archives


def zipped(path: Path, folder: Path) -> zipfile.ZipFile:
    archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
    for file in folder.iterdir():
        archive.write(file, f"pipeline/release/{file.name}")
    return archive


def test_many_large_files_in_a_zip_are_refused_together(release, tmp_path):
    large = bytes(49 * MB)
    checksum = reader.sha256(large)
    with (release / reader.SUMS).open("a") as sums:
        sums.writelines(f"{checksum}  large{number}.txt\n" for number in range(3))
    with zipped(tmp_path / "bomb.zip", release) as archive:
        for number in range(3):
            archive.writestr(f"pipeline/release/large{number}.txt", large)
    refused(limited_bee, tmp_path / "bomb.zip", "is larger than 100 MB, so it is not a release")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_file_that_is_packed_in_a_rare_way_is_not_unpacked(release, tmp_path, method):
    """`zipfile` unpacks it whole, whatever limit it is given."""
    (release / "words.csv").unlink()
    with zipped(tmp_path / "bomb.zip", release) as archive:
        entry = zipfile.ZipInfo("pipeline/release/words.csv")
        entry.compress_type = method
        archive.writestr(entry, bytes(20 * MB))
    refused(limited_bee, tmp_path / "bomb.zip", "There is no words.csv", ("verify",))


def test_an_encrypted_zip_and_one_whose_headers_lie_are_refused(bee, release, tmp_path):
    with zipped(tmp_path / "plain.zip", release):
        pass
    data = (tmp_path / "plain.zip").read_bytes()
    at = data.index(b"PK\1\2")
    while at >= 0:
        data = data[: at + 8] + struct.pack("<H", 1) + data[at + 10 :]  # bit 0: encrypted
        at = data.find(b"PK\1\2", at + 1)
    (tmp_path / "encrypted.zip").write_bytes(data)
    refused(bee, tmp_path / "encrypted.zip", "is damaged or encrypted")
    data = bytearray((tmp_path / "plain.zip").read_bytes())
    at = data.index(b"PK\1\2")
    while at >= 0:
        data[at + 24 : at + 28] = struct.pack("<I", 7)  # each file has 7 bytes
        at = data.find(b"PK\1\2", at + 1)
    (tmp_path / "short.zip").write_bytes(data)
    refused(bee, tmp_path / "short.zip", "")


def test_an_archive_of_many_files_is_refused_before_they_are_listed(tmp_path):
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as archive:
        for number in range(40_000):
            archive.writestr(f"{number}", b"")
    refused(limited_bee, tmp_path / "many.zip", "is damaged or does not contain a release", ("verify",))
    with tarfile.open(tmp_path / "many.tar", "w") as tarball:
        for number in range(20_000):
            tarball.addfile(tarfile.TarInfo(f"{number}"))
    refused(limited_bee, tmp_path / "many.tar", "more than 10,000 files", ("verify",))


def tarred(path: Path, folder: Path) -> tarfile.TarFile:
    tarball = tarfile.open(path, "w:gz" if path.suffix == ".gz" else "w")  # noqa: SIM115
    for file in sorted(folder.iterdir()):
        tarball.add(file, f"bee-1.0/data/custom/{file.name}")
    return tarball


def entry_of(name: str, kind: bytes, target: str = "", size: int = 0) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(f"bee-1.0/data/custom/{name}")
    entry.type, entry.linkname, entry.size = kind, target, size
    return entry


def test_links_devices_and_pipes_in_a_tarball_are_no_files(bee, release, tmp_path):
    words = release / "words.csv"
    words.rename(tmp_path / "words.csv")
    kinds = {tarfile.SYMTYPE: "/dev/zero", tarfile.LNKTYPE: "words.csv", tarfile.CHRTYPE: "", tarfile.FIFOTYPE: ""}
    for number, (kind, target) in enumerate(kinds.items()):
        path = tmp_path / f"{number}.tar.gz"
        with tarred(path, release) as tarball:
            tarball.addfile(entry_of("words.csv", kind, target))
        refused(bee, path, "There is no words.csv")


def test_a_tarball_that_unpacks_to_any_size_is_refused(tmp_path):
    with gzip.open(tmp_path / "bomb.tar.gz", "wb", 1) as file:
        file.write(entry_of(reader.SUMS, tarfile.REGTYPE, size=2_000 * MB).tobuf())
        for _ in range(400):
            file.write(bytes(MB))
    refused(
        limited_bee,
        tmp_path / "bomb.tar.gz",
        "is larger than 300 MB, so it is not a release",
        ("verify", "changes"),
    )
    (tmp_path / "huge.tar").write_bytes(entry_of(reader.SUMS, tarfile.REGTYPE, size=2_000 * MB).tobuf() + bytes(1024))
    refused(limited_bee, tmp_path / "huge.tar", "is damaged")
    header = bytearray(entry_of(reader.SUMS, tarfile.REGTYPE).tobuf())
    header[124:136] = b"\xff" * 12  # a size of -1, which would be read again and again
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header[:512])
    (tmp_path / "backward.tar").write_bytes(bytes(header) + bytes(1024))
    refused(limited_bee, tmp_path / "backward.tar", "is damaged", ("verify",))


def test_extended_headers_of_any_number_and_size_are_passed_over(release, tmp_path):
    with tarred(tmp_path / "whole.tar", release):
        pass
    whole = (tmp_path / "whole.tar").read_bytes()
    many = b"".join(entry_of("x", tarfile.XHDTYPE).tobuf() for _ in range(5_000))
    large = entry_of("x", tarfile.XHDTYPE, size=20 * MB).tobuf() + b"GNU.sparse.map=1," + b"1," * 10 * MB
    for name, start in {"many": many, "large": large}.items():
        (tmp_path / f"{name}.tar").write_bytes(start + bytes(-len(start) % 512) + whole)
        done = limited_bee("verify", tmp_path / f"{name}.tar")
        assert (done.code, "as published" in done.err) == (0, True), done.err[-800:]


def test_the_last_of_two_files_with_a_name_counts_and_names_with_two_dots_are_never_used(bee, release, tmp_path):
    with tarred(tmp_path / "twice.tar", release) as tarball:
        for name in ("words.csv", "../../../outside.txt"):
            entry = entry_of(name, tarfile.REGTYPE, size=1)
            tarball.addfile(entry, io.BytesIO(b"x"))
    refused(bee, tmp_path / "twice.tar", "words.csv in")
    assert not (tmp_path.parent / "outside.txt").exists()


@pytest.mark.parametrize("cut", [1, 300])
def test_a_file_that_is_cut_or_is_packed_text_is_no_archive(bee, release, tmp_path, cut):
    with tarred(tmp_path / "a.tar.gz", release):
        pass
    with zipped(tmp_path / "a.zip", release):
        pass
    for name in ("a.tar.gz", "a.zip"):
        path = tmp_path / f"cut-{name}"
        path.write_bytes((tmp_path / name).read_bytes()[:-cut])
        refused(bee, path, "", ("verify",))
    (tmp_path / "text.gz").write_bytes(gzip.compress(b"cove\n" * cut))
    refused(bee, tmp_path / "text.gz", "", ("verify",))


# ---------------------------------------------------------------- what a forger seals


def package(change: Callable[[dict], object]) -> Callable[[str], str]:
    """Change the description of a release."""

    def changed(text: str) -> str:
        value = json.loads(text)
        change(value)
        return json.dumps(value)

    return changed


DEEP = '"more": ' + "[" * 990 + "]" * 990 + ', "version":'
LONG_ROW = "zzzz,core,1.00,1,1,,accepted," + "x" * 200_000 + "\n"
PACKAGE = {
    "deep": lambda _: "[" * 100_000,
    "deep inside": lambda text: text.replace('"version":', DEEP, 1),
    "a long number": lambda text: text.replace('"days": ', '"days": ' + "9" * 5000, 1),
    "no number": package(lambda value: value["covers"].update(days=float("nan"))),
    "an infinite size": package(lambda value: value["resources"][0].update(bytes=float("inf"))),
    "a list for days": package(lambda value: value.update(covers=[1])),
    "an object for a checksum": package(lambda value: value["made_with"].update({"verdicts.csv": {"hash": ""}})),
    "a list for inputs": package(lambda value: value.update(made_with=[["record.csv", {}]])),
    "no resources": package(lambda value: value.update(resources=None)),
    "lists for resources": package(lambda value: value.update(resources=[[1]])),
    "text for a schema": package(lambda value: value["resources"][1].update(schema="schema")),
    "a name that is none": package(lambda value: value["resources"][1].update(path={})),
    "a file that is not there": package(lambda value: value["resources"].append({"path": "more.csv"})),
    "text for words": package(lambda value: value.update(words="many")),
}
FORGED = {name: (reader.PACKAGE, change) for name, change in PACKAGE.items()} | {
    "a large cell": ("words.csv", lambda text: text + LONG_ROW),
    "a large header": ("words.csv", lambda text: "x" * 200_000 + text),
    "open quotes": ("words.csv", lambda text: text.replace("accepted", '"accepted', 1)),
    "a long count": ("words.csv", lambda text: text.replace(",1.00,", "," + "9" * 5000 + ",", 1)),
    "the last day of all": ("daily.csv", lambda _: "date,letters\n9999-12-31,vacenot\n9999-12-31,vacenot\n"),
    "many columns": ("diffs.csv", lambda text: text.replace("word,", "word," * 40_000, 1)),
}


def test_a_release_that_is_sealed_again_without_a_change_verifies(bee, release):
    rewrite(release, "words.csv", lambda text: text)
    assert bee("verify", release).code == 0


@pytest.mark.parametrize("forged", FORGED)
def test_what_a_forger_seals_is_refused_in_one_sentence(bee, release, workspace, forged):
    name, change = FORGED[forged]
    rewrite(release, name, change)
    refused(bee, release, "", ("verify",))
    done = bee("changes", release, workspace / "custom")
    assert "Traceback" not in done.err
    assert done.code in (0, 1)


def test_the_days_of_a_record_come_one_after_the_other_and_end(release):
    """Each range of dates is short as text but needs much memory."""
    rows = (release / "record.csv").read_bytes().partition(b"\n")[2]
    rest = b" covers " + b"2018-05-09..9999-12-31 " * 100_000 + b"\n" + rows
    (release / "record.csv").write_bytes(b"# sha256 " + reader.sha256(rest).encode() + rest)
    start = time.monotonic()
    refused(limited_bee, release, "", ("verify",))
    assert time.monotonic() - start < SECONDS


def test_the_other_commands_that_are_given_a_release_do_not_wait_for_a_pipe(release, tmp_path):
    (release / "words.csv").unlink()
    os.mkfifo(release / "words.csv")
    for command in (["export", "--release", release], ["site", "--release", release, "-o", tmp_path / "site"]):
        done = limited_bee(*command)
        assert (done.code, "words.csv is not a regular file" in done.err) == (1, True), done.err
