"""Verdicts of jobs are those of the command line."""

import pytest
from conftest import AGENTS, rows
from data import ODD, URLS
from pyspark.sql import functions as F
from robotrie_spark import judge

FIRST_ODD = len(URLS) - len(ODD)


def test_an_index(urls, indexes, wanted):
    found = rows(judge(urls, "url", agents=AGENTS, index=indexes))
    assert len(found) == len(URLS)
    assert {i: found[i] for i in wanted} == wanted


def test_odd_urls(urls, indexes):
    odd = urls.where(F.col("id") >= FIRST_ODD)
    found = rows(judge(odd, "url", agents=AGENTS[:1], index=indexes[0]))
    assert {URLS[i]: verdict for i, (verdict,) in found.items()} == dict(ODD)


@pytest.mark.parametrize("memory", [2**28, 0], ids=["in each worker", "shuffled"])
@pytest.mark.parametrize("place", ["table", "folders", "file:"])
def test_shards(urls, shards, folders, indexes, place, memory):
    by_index = rows(judge(urls, "url", agents=AGENTS, index=indexes))
    places = {"table": shards, "folders": folders, "file:": [f"file://{folder}" for folder in folders]}
    assert rows(judge(urls, "url", agents=AGENTS, shards=places[place], memory=memory)) == by_index


def test_salts(urls, shards, indexes):
    by_index = rows(judge(urls, "url", agents=AGENTS, index=indexes))
    for salts in (3, {0: 2, 3: 4}):
        assert rows(judge(urls, "url", agents=AGENTS, shards=shards, salts=salts, memory=0)) == by_index


def test_binary_urls_and_other_columns(urls, indexes, wanted):
    table = urls.select("id", F.col("url").cast("binary").alias("url"), F.array("id").alias("more"))
    found = judge(table, "url", agents=AGENTS, index=indexes).drop("more")
    assert {i: verdicts for i, verdicts in rows(found).items() if i in wanted} == wanted


def test_a_table_without_rows(urls, indexes, shards):
    none = urls.where("id < 0")
    assert rows(judge(none, "url", agents=AGENTS, index=indexes)) == {}
    assert rows(judge(none, "url", agents=AGENTS, shards=shards)) == {}


def test_an_index_that_changes_under_its_name(urls, indexes, tmp_path):
    file = tmp_path / "sites.index"
    some = urls.where("id < 50")
    for agent, index in zip(AGENTS, indexes):
        with open(index, "rb") as source:
            file.write_bytes(source.read())
        found = rows(judge(some, "url", agents=[agent], index=str(file)))
        assert found == rows(judge(some, "url", agents=[agent], index=index))
