"""The audit of many logs is that of one run over all of them."""

import gzip
import re

import pytest
from conftest import ROOT, robotrie
from robotrie_spark import RobotrieError, audit_logs

ROBOTS = str(ROOT / "sample/robots.txt")


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """The sample's log, cut into three between lines, one of them compressed."""
    folder = tmp_path_factory.mktemp("logs")
    lines = (ROOT / "sample/access.log").read_bytes().splitlines(keepends=True)
    for number in range(3):
        part = b"".join(lines[number * 1000 : (number + 1) * 1000 if number < 2 else None])
        (folder / f"{number}.log").write_bytes(gzip.compress(part) if number == 1 else part)
    return folder


@pytest.mark.parametrize("output", ["json", "csv"])
def test_the_report_is_that_of_one_run(spark, logs, output):
    files = [str(logs / f"{number}.log") for number in range(3)]
    whole = robotrie("audit", "--robots", "robots.txt", "--output", output, *files, cwd=ROOT / "sample")
    report = audit_logs(spark, str(logs), ROBOTS, report=["--output", output])
    assert without_names(report) == without_names(whole)


def without_names(report):
    """A report without the names of the logs, which children read from stdin."""
    return re.sub(rb'"logs": \[[^\]]*\]', b"", report)


def test_a_log_that_cannot_be_read(spark, logs, tmp_path):
    (tmp_path / "one.log").write_bytes(b"\x1f\x8b damaged")
    with pytest.raises(Exception, match="one.log: robotrie audit ended with exit code 2: robotrie: "):
        audit_logs(spark, str(tmp_path), ROBOTS)


def test_no_logs(spark, tmp_path):
    with pytest.raises(RobotrieError, match="there are no logs in "):
        audit_logs(spark, str(tmp_path), ROBOTS)
