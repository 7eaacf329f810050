"""Every row of conformance/ that a host can be asked, in each way to ask, and Google's own verdicts where they are."""

import base64
import gzip
import json

import pytest
from data import ROOT, readme_code, robots_of, rows

from robotrie import Index, Matcher, RobotsTxt

VERDICTS = rows("verdicts")


def wrong(is_right):
    return [row for row in VERDICTS if not is_right(row)][:3]


def file_of(row):
    return RobotsTxt.parse(robots_of(row), row["dialect"])


def test_verdicts_and_lines():
    def is_right(row):
        allowed, rule, _ = file_of(row).explain(row["url"], row["agent"])
        return allowed == row["allowed"] and (rule.line if rule else 0) == row["line"]

    assert len(VERDICTS) > 5000
    assert wrong(is_right) == []


def test_in_bulk_and_saved():
    def is_right(row):
        matcher = file_of(row).for_agent(row["agent"])
        loaded = Matcher.from_bytes(matcher.to_bytes())
        rule = loaded.match(row["url"])
        verdict = bytes([row["allowed"]])
        return (
            matcher.match_many([row["url"]]) == verdict == loaded.match_many([row["url"]])
            and (rule.line if rule else 0) == row["line"]
        )

    assert wrong(is_right) == []


def test_lines():
    def is_right(row):
        url = row["url"].encode()
        if b"\n" in url or url.endswith(b"\r"):
            return True
        return file_of(row).for_agent(row["agent"]).match_lines(url + b"\r\n" + url) == bytes([row["allowed"]]) * 2

    assert wrong(is_right) == []


@pytest.mark.parametrize("name", ["groups", "agents"])
def test_groups(name):
    for row in rows(name):
        robots = RobotsTxt.parse(robots_of(row), row["dialect"])
        assert [group.line for group in robots.groups_for(row["agent"])] == row["groups"], row


@pytest.mark.parametrize("row", rows("urls"), ids=lambda row: row["url"])
def test_odd_urls(row):
    url = row["url"]
    matcher = file_of(row).for_agent(row["agent"])
    index = Index.from_bytes(base64.b64decode(row["index_b64"]))
    verdict = 3 if "python" in row["refused_by"] else row["index"]
    found = [*matcher.match_many([url]), *matcher.match_lines(url.encode() + b"\n"), *index.match([url]), *index.match_lines(url.encode() + b"\n")]
    assert found == [row["matcher"]] * 2 + [verdict] * 2


def test_crawl_delay():
    for row in rows("crawl-delay"):
        assert RobotsTxt.parse(robots_of(row), row["dialect"]).crawl_delay(row["agent"]) == row["seconds"], row


def test_saved_bytes_load_or_are_refused():
    def dialect_in(row):
        opened = {"matcher": Matcher, "index": Index}[row["form"]]
        try:
            return opened.from_bytes(base64.b64decode(row["bytes_b64"])).dialect
        except ValueError:
            return None

    saved = rows("saved")
    assert {row["form"] for row in saved} == {"matcher", "index"}
    assert [row for row in saved if dialect_in(row) != row["dialect"]] == []


@pytest.mark.parametrize("dialect", ["rfc9309", "google"])
def test_the_code_of_the_readme(dialect, capsys):
    shown = {}
    exec(next(code for code in readme_code("conformance/README.md") if "def run(" in code), shown)
    found, asked = shown["run"](
        ROOT / "conformance/verdicts.jsonl",
        lambda robots, agent, url: RobotsTxt.parse(robots, dialect).is_allowed(url, agent),
        dialect,
    )
    assert asked > 1000 and found == 0 and capsys.readouterr().out == ""


def test_google_library():
    count = 0
    for line in gzip.open(ROOT / "conformance/google.jsonl.gz", "rt"):
        file = json.loads(line)
        robots = RobotsTxt.parse(base64.b64decode(file["robots_b64"]), "google")
        for agent, url, allowed, deciding in file["cases"]:
            matcher = robots.for_agent(agent)
            assert matcher.is_allowed(url) == bool(allowed), (file, agent, url)
            assert matcher.match_many([url]) == bytes([allowed]), (file, agent, url)
            rule = matcher.match(url)
            assert deciding in (0, rule.line if rule else 0), (file, agent, url)
            count += 1
    assert count == 25_452


def test_an_index_of_another_host():
    """`index.v1` was written in Node; test/stored-forms.test.ts says what it holds."""
    index = Index.load(ROOT / "test/data/stored/index.v1")
    assert len(index) > 0
