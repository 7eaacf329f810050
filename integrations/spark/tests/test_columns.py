"""Columns of any layout, without Spark."""

import pyarrow as pa
import pytest
from robotrie_spark import columns
from robotrie_spark.child import Child

ORIGIN = "https://h.example"
TEXTS = [f"{ORIGIN}/a", None, f"{ORIGIN}/b", "", f"{ORIGIN}/a\n{ORIGIN}/b", "https://other.example/"]
WANTED = ["disallowed", "invalid", "allowed", "invalid", "disallowed", "unknown"]


@pytest.fixture(scope="module")
def child():
    child = Child(("--agent", "ExampleBot"))
    body = b"User-agent: *\nDisallow: /a\n"
    child.send(b"R", len(ORIGIN).to_bytes(4, "little"), ORIGIN.encode(), (200).to_bytes(2, "little"), body)
    yield child
    child.close()


@pytest.mark.parametrize("kind", [pa.string(), pa.binary(), pa.large_string(), pa.large_binary()], ids=str)
def test_layouts_and_slices(child, kind):
    for start in range(len(TEXTS) + 1):
        for end in range(start, len(TEXTS) + 1):
            array = pa.array(TEXTS, pa.string()).cast(kind).slice(start, end - start)
            assert columns.judged(child, array, 1)[0].to_pylist() == WANTED[start:end]


def test_a_column_larger_than_a_frame(child, monkeypatch):
    monkeypatch.setattr(columns, "MOST_BYTES", 100)
    array = pa.array(TEXTS * 7)
    assert columns.judged(child, array, 1)[0].to_pylist() == WANTED * 7
