"""Every URL gets to its shard, and every shard to its partition."""

import json

import pytest
from conftest import AGENTS, ROOT
from pyspark.sql import functions as F
from robotrie_spark import RobotrieError, salts_for, shard_of
from robotrie_spark.folders import PART
from robotrie_spark.routing import Slots, murmur3, partition_keys
from robotrie_spark.shards import Shards, Stored

VECTORS = json.loads((ROOT / "test/data/shard-vectors.json").read_text())


@pytest.mark.parametrize("has_arrow_udf", [True, False])
@pytest.mark.parametrize("shards", [7, 16, 256])
def test_the_vectors_of_all_languages(spark, monkeypatch, shards, has_arrow_udf):
    if not has_arrow_udf:
        # As before PySpark 4.1.
        monkeypatch.delattr(F, "arrow_udf", raising=False)
    table = spark.createDataFrame([(one["url"], one["shards"][str(shards)]) for one in VECTORS], "url string, wanted int")
    for row in shard_of(table, "url", shards).collect():
        assert row["shard"] == row["wanted"], row["url"]


def test_keys_are_put_where_they_belong(spark):
    numbers = spark.range(2000).select(F.col("id").cast("int").alias("id"), F.hash(F.col("id").cast("int")).alias("hash"))
    assert [(row["id"], row["hash"]) for row in numbers.collect()] == [(i, murmur3(i)) for i in range(2000)]
    keys = partition_keys(37)
    table = spark.createDataFrame([(key,) for key in keys], "key int").repartition(37, "key")
    placed = table.select("key", F.spark_partition_id().alias("partition")).collect()
    assert {row["key"]: row["partition"] for row in placed} == {key: i for i, key in enumerate(keys)}


def test_salts_follow_the_number_of_urls(urls):
    salts = salts_for(urls, "url", 5, rows=2000, fraction=0.5)
    # 40% of 20,000 are of one origin.
    assert max(salts.values()) >= 4


@pytest.mark.parametrize(
    ("shards", "salts", "message"),
    [
        (0, 1, "the number of shards is from 1 to 4096, not 0"),
        (4097, 1, "the number of shards is from 1 to 4096, not 4097"),
        (2, {1: 0}, "a shard has 1 salt or more, and shard 1 has 0"),
    ],
)
def test_wrong_numbers(shards, salts, message):
    with pytest.raises(RobotrieError, match=message):
        Slots(shards, salts)


def test_what_is_asked_of_shards_reads_no_snapshot(spark, shards):
    plan = Stored._parts(spark.read.parquet(shards))._jdf.queryExecution().executedPlan().toString()
    assert "ReadSchema" in plan
    assert "data" not in plan.split("ReadSchema")[1].splitlines()[0]
    found = Shards.read(spark, shards, AGENTS)
    exact = spark.read.parquet(shards).agg(F.sum(F.length("data"))).collect()[0][0]
    assert exact <= found.size < exact + found.count * found.crawlers * PART
