"""Columns of any layout, without Spark."""

import pyarrow as pa
import pytest
from robotrie_spark import columns, job
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
            assert columns.judged(child, [array], 1)[0][0].to_pylist() == WANTED[start:end]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_binary()], ids=str)
def test_several_columns_in_a_frame(child, kind):
    array = pa.array(TEXTS, pa.string()).cast(kind)
    cuts = [(0, 0), (0, 2), (1, 6), (3, 4), (5, 6), (2, 2), (0, 6)]
    found = columns.judged(child, [array.slice(start, end - start) for start, end in cuts], 1)
    assert [one.to_pylist() for (one,) in found] == [WANTED[start:end] for start, end in cuts]


@pytest.mark.parametrize("most", [1, 100, 10**6])
def test_columns_larger_than_a_frame(child, monkeypatch, most):
    monkeypatch.setattr(columns, "MOST_BYTES", most)
    sent = []
    monkeypatch.setattr(child, "send", lambda kind, *parts: (sent.append(kind), Child.send(child, kind, *parts)))
    array = pa.array(TEXTS * 7)
    found = columns.judged(child, [array, array.slice(5)], 1)
    assert [one.to_pylist() for (one,) in found] == [WANTED * 7, (WANTED * 7)[5:]]
    assert (len(sent) > 1) == (most < 10**6)


@pytest.mark.parametrize("kind", [pa.string(), pa.binary(), pa.large_string()], ids=str)
def test_a_row_that_is_too_long_is_invalid(child, monkeypatch, kind):
    monkeypatch.setattr(columns, "LONGEST_URL", 100)
    for size, verdict in [(100, "disallowed"), (101, "invalid"), (10_000, "invalid")]:
        url = f"{ORIGIN}/a".ljust(size, "x")
        array = pa.array([*TEXTS, url, *TEXTS], pa.string()).cast(kind)
        assert columns.judged(child, [array, array], 1)[1][0].to_pylist() == [*WANTED, verdict, *WANTED]
        assert (columns.shards_of(child, array, 4096)[6] == 0) == (size > 100)


def test_a_row_that_is_too_long_for_the_child_is_invalid(child):
    array = pa.array(["https://é.example/".ljust(columns.LONGEST_URL, "x"), f"{ORIGIN}/a"])
    assert columns.judged(child, [array], 1)[0][0].to_pylist() == ["invalid", "disallowed"]


def test_small_batches_are_sent_together():
    batches = [pa.record_batch({"url": ["https://h.example/"] * rows}) for rows in [1, 2, 0, 3, 1000, 1, 1]]
    groups = [[batch.num_rows for batch in some] for some in job.together(iter(batches), 1000)]
    assert groups == [[1, 2, 0, 3, 1000], [1, 1]]
    assert list(job.together(iter([]), 1000)) == []
