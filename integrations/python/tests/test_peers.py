"""Scrapy's and Protego's own tests, of their source distributions, against this package. What it answers otherwise is in `DIFFERENCES` and in
docs/python.md; a test that is named there and passes is an error, too."""

import subprocess
import sys
import tarfile

import pytest
from data import ROOT

#: What is answered otherwise, as docs/python.md says, and the tests that see it; a name stands for all of its parameters.
DIFFERENCES = {
    "no request_rate, visit_time, preferred_host": [
        *("test_request_rate", "test_request_rate_bare_number", "test_no_request_rate", "test_malformed_request_rate"),
        *("test_visit_time", "test_malformed_visit_time", "test_generosity_visit_time"),
        *("test_no_preferred_host", "test_preferred_host_before_user_agent", "test_global_directives_do_not_split_groups"),
        "test_generosity_not_for_unknown_colon_directives",
    ],
    "misspelt fields do not count": ["test_malformed_disallow"],
    "a line without a colon does not count": [
        *("test_empty_user_agent_line", "test_generosity", "test_generosity_case_insensitivity"),
        *("test_generosity_sitemap", "test_generosity_tab_separated"),
    ],
    "unknown fields do not end a group": ["test_grouping_unknown_keys"],
    "an escape of a reserved character differs from the character": [
        "test_equal_sign_in_path[https://example.com/1/filter/page%3D5/-True]",
    ],
    "`$` and `*` in a URL are ordinary characters": ["test_special_symbols_dual_behaviour"],
    "`Allow: /a/index.html` does not allow `/a/`": ["test_index_html_is_directory"],
    "a text that is neither a URL nor a path is an error": ["test_allowed_wildcards"],
    "product tokens are ASCII": ["test_unicode_url_and_useragent"],
    "tokens are compared whole": [
        *("test_user_agent_precedence[/group1-hedwig-news2]", "test_user_agent_precedence[/group3-hedwig-new]"),
        "test_user_agent_precedence[/group3-hedwig-images]",
        "test_user_agent_boundary_matching[google-googlebot-mobile-True]",
    ],
    "a file may be bytes": ["test_bytestrings"],
    "no line count": ["test_line_endings"],
    "the longest rule decides, not the first": ["test_order_based_precedence"],
}
NAMES = {name for names in DIFFERENCES.values() for name in names}


def test_the_differences_are_documented():
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    assert [reason for reason in DIFFERENCES if f"| {reason} |" not in page] == []


@pytest.fixture(scope="session")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sources")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download"]
    found = subprocess.run(
        [*pip, "--no-deps", "--no-binary", "scrapy,protego", "scrapy", "protego"], cwd=folder, capture_output=True, text=True
    )
    if found.returncode:
        pytest.skip(f"pip cannot download the sources: {found.stderr[-300:]}")
    for archive in folder.glob("*.tar.gz"):
        with tarfile.open(archive) as file:
            file.extractall(folder, filter="data")
        archive.unlink()
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


def check(results, least, file):
    def is_known(name):
        return name in NAMES or name.partition("[")[0] in NAMES

    # Scrapy has tests of the same names as Protego.
    known = {name for name in results if is_known(name) and (name == "test_order_based_precedence" or file != "scrapy")}
    assert {name for name, result in results.items() if result != "PASSED"} == known
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
    check(run(folder, file.relative_to(folder), ""), 9, "scrapy")


#: Protego's class over this package, for tests that import it. What has no counterpart here is missing.
PROTEGO = """
import protego
from robotrie import RobotsTxt

class Protego:
    @classmethod
    def parse(cls, content):
        self = cls()
        self.robots = RobotsTxt.parse(content)
        return self

    def can_fetch(self, url, user_agent):
        return self.robots.is_allowed(url, user_agent)

    def crawl_delay(self, user_agent):
        return self.robots.crawl_delay(user_agent)

    @property
    def sitemaps(self):
        return iter(self.robots.sitemaps)

protego.Protego = Protego
"""


@pytest.mark.parametrize("name", ["test_protego", "test_on_google_spec"])
def test_protego(sources, name):
    (folder,) = sources.glob("protego-*")
    check(run(folder, f"tests/{name}.py", PROTEGO), 30, name)
