"""Scrapy's and Protego's own tests, of their source distributions, against this package. What it answers otherwise is in `DIFFERENT`, and
in docs/migrating.md under Protego; a test that is named there and passes is an error, too."""

import pathlib
import subprocess
import sys
import tarfile

import pytest

#: Tests by name, and why they fail.
DIFFERENT = {}


@pytest.fixture(scope="session")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sources")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download"]
    found = subprocess.run([*pip, "--no-deps", "--no-binary", "scrapy,protego", "scrapy", "protego"], cwd=folder, capture_output=True, text=True)
    if found.returncode:
        pytest.skip(f"pip cannot download the sources: {found.stderr[-300:]}")
    for archive in folder.glob("*.tar.gz"):
        with tarfile.open(archive) as file:
            file.extractall(folder, filter="data")
    return folder


def run(folder, file, prelude):
    """The results of a test file by name, with `prelude` run before it."""
    (folder / "conftest.py").write_text(prelude)
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "-c", "pytest.ini", str(file)]
    out = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout
    results = {}
    for line in out.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("PASSED", "FAILED", "ERROR"):
            results[rest.split(" - ")[0].rpartition("::")[2]] = word
    assert results, out
    return results


def check(results, least):
    failed = {name for name, result in results.items() if result != "PASSED"}
    assert failed == DIFFERENT.keys() & results.keys(), failed ^ (DIFFERENT.keys() & results.keys())
    assert len(results) >= least


def test_scrapy(sources):
    (folder,) = sources.glob("scrapy-*")
    file = folder / "tests/test_robotstxt_robotrie.py"
    file.write_text(
        "from robotrie.scrapy import RobotrieRobotParser\n"
        "from tests.test_robotstxt_interface import BaseRobotParserTest\n"
        "class TestRobotrieRobotParser(BaseRobotParserTest):\n"
        "    def setup_method(self):\n"
        "        super()._setUp(RobotrieRobotParser)\n"
    )
    check(run(folder, file.relative_to(folder), ""), 5)


PROTEGO = pathlib.Path(__file__).parent / "protego_interface.py"


def test_protego(sources):
    (folder,) = sources.glob("protego-*")
    (file,) = folder.glob("tests/test_protego.py")
    check(run(folder, file.relative_to(folder), PROTEGO.read_text()), 30)
