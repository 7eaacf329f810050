"""conformance/recorded.jsonl: what recorded answers mean together, as `robotrie index` and @robotrie/sites have it."""

import base64
import json
import os

import pytest
from conftest import ROOT
from robotrie_spark import build_shards, judge
from robotrie_spark.recorded import COLUMNS

CASES = [json.loads(line) for line in (ROOT / "conformance/recorded.jsonl").read_text().splitlines()]
TIMES = [None, *{case["as_of"] for case in CASES if case["as_of"]}]
TYPES = {"status": "int"}


def table_of(spark, cases):
    """The records as columns. A status that is no number is a row of JSON lines alone."""
    records = [record for case in cases for record in case["records"]]
    usable = [record for record in records if isinstance(record.get("status", 0), int)]
    schema = ", ".join(f"{name} {TYPES.get(name, 'string')}" for name in COLUMNS)
    return spark.createDataFrame([tuple(record.get(name) for name in COLUMNS) for record in usable], schema)


def lines_of(spark, cases, folder):
    path = folder / "recorded.ndjson"
    path.write_text("".join(f"{json.dumps(record)}\n" for case in cases for record in case["records"]))
    return str(path)


def warc_of(spark, cases, folder):
    """A file for each two cases, whose paths have their order."""
    for number in range(0, len(cases), 2):
        bytes_ = b"".join(base64.b64decode(case["warc_b64"]) for case in cases[number : number + 2])
        (folder / f"{number:03}.warc").write_bytes(bytes_)
    return [str(folder / "*.warc")]


def files_of(spark, cases, folder):
    """Each case in one kind of file, as each has hosts of its own: every other one as lines, if it may be either."""
    lines = [case for number, case in enumerate(cases) if not case["warc_b64"] or (case["records"] and number % 2)]
    warc_of(spark, [case for case in cases if case not in lines], folder)
    lines_of(spark, lines, folder)
    return str(folder / "*")


FORMS = {
    "table": ("records", lambda spark, cases, folder: table_of(spark, cases)),
    "files": (None, files_of),
    "lines": ("records", lines_of),
    "warc": ("warc_b64", warc_of),
}

#: A job takes seconds, whatever it reads: these have every case. ROBOTRIE_ALL=1 runs each form of each of them.
FEW = [("table", None), *(("files", as_of) for as_of in TIMES)]
RUNS = [(form, as_of) for form in FORMS for as_of in TIMES] if os.environ.get("ROBOTRIE_ALL") == "1" else FEW


@pytest.mark.parametrize(("form", "as_of"), RUNS)
def test_recorded_answers(spark, tmp_path, form, as_of):
    field, make = FORMS[form]
    cases = [case for case in CASES if case["as_of"] == as_of and (field is None or case[field])]
    source = make(spark, cases, tmp_path)
    path = str(tmp_path / "shards")
    build_shards(source, path, agents=["ExampleBot"], shards=3, as_of=as_of)
    wanted = {(case["case"], url): verdict for case in cases for url, verdict in case["verdicts"].items()}
    urls = spark.createDataFrame(list(wanted), "case string, url string")
    found = {(row[0], row[1]): row[2] for row in judge(urls, "url", agents=["ExampleBot"], shards=path).collect()}
    assert found == wanted
    assert len(set(wanted.values())) > 2
