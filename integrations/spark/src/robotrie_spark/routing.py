"""Which partition a URL goes to: the shard of its host, and one of the shard's salts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Union

import pandas as pd
import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from .child import borrowed
from .columns import shards_of
from .errors import RobotrieError

MOST_SHARDS = 4096

#: How many partitions a shard's URLs are spread over: the same for all shards, or for each of some, 1 for the others.
Salts = Union[int, Mapping[int, int]]

# Hosts that the URL standard leaves as they are, but for their case: ASCII, and no number at the end. Others are encoded first.
_PLAIN_HOST = r"(?i)^https?://((?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*)(?::[0-9]{0,5})?(?:[/?#\\]|\z)"


def column_of(table: DataFrame, name: str) -> str:
    """The column's name as the table has it, found as Spark finds it: in any case, unless `spark.sql.caseSensitive` says otherwise.

    :raises RobotrieError: For a name that no column has, or several have.
    """
    names = table.columns
    found = [each for each in names if same_name(table, each, name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise RobotrieError(f"the name {name} stands for {len(found)} columns: {', '.join(found)}")
    raise RobotrieError(f"the table has no column {name}; it has {', '.join(names) or 'none'}")


def same_name(table: DataFrame, one: str, other: str) -> bool:
    """Whether two names are the same to Spark."""
    if str(table.sparkSession.conf.get("spark.sql.caseSensitive", "false")).lower() == "true":
        return one == other
    return one.lower() == other.lower()


def col(name: str) -> Column:
    """A column by its name alone, whatever characters that has."""
    return F.col("`" + name.replace("`", "``") + "`")


def with_shard(table: DataFrame, column: str, shards: int, name: str) -> DataFrame:
    """The table with a column more: the shard of each URL's host (docs/sharding.md); for a text that is not a URL, any."""
    check_shards(shards)
    host = f"{name}_host"
    url = col(column_of(table, column)).cast("string")
    found = table.withColumn(host, F.lower(F.regexp_extract(url, _PLAIN_HOST, 1)))
    plain = F.col(host) != ""
    asked = _shard_udf(shards)(F.when(~plain, url))
    shard = F.when(plain, F.crc32(F.col(host)) % shards).otherwise(asked)
    return found.withColumn(name, F.coalesce(shard.cast("int"), F.lit(0))).drop(host)


def shard_of(table: DataFrame, column: str, shards: int) -> DataFrame:
    """The table with the column `shard`: a number from 0 to shards - 1 (docs/sharding.md)."""
    return with_shard(table, column, shards, "shard")


def _shard_udf(shards: int) -> Any:
    def ask(urls: pa.Array) -> pa.Array:
        if urls.null_count == len(urls):
            return pa.nulls(len(urls), pa.int32())
        with borrowed(("--agent", "*")) as child:
            return pa.array(shards_of(child, urls, shards).astype("int32"))

    def ask_series(urls: pd.Series) -> pd.Series:
        return ask(pa.array(urls, pa.string(), from_pandas=True)).fill_null(0).to_pandas()

    # From PySpark 4.1 on; pandas makes an object of each text.
    if hasattr(F, "arrow_udf"):
        return F.arrow_udf(ask, "int")
    return F.pandas_udf(ask_series, "int")  # type: ignore[call-overload]


def check_shards(shards: int) -> None:
    if not 1 <= shards <= MOST_SHARDS:
        raise RobotrieError(f"the number of shards is from 1 to {MOST_SHARDS}, not {shards}")


def salts_for(urls: DataFrame, column: str, shards: int, rows: int = 10_000_000, fraction: float = 0.01) -> dict[int, int]:
    """Salts for `judge` by which no partition gets many more than `rows` URLs, from a sample of them."""
    sample = with_shard(urls.select(col(column_of(urls, column))).sample(fraction=fraction, seed=1), column, shards, "shard")
    counted = sample.groupBy("shard").count().collect()
    salts = {row["shard"]: math.ceil(row["count"] / fraction / rows) for row in counted}
    return {shard: count for shard, count in salts.items() if count > 1}


class Slots:
    """Partitions: one for each shard and salt. A row with the key of a slot gets to that partition, and no other slot does."""

    def __init__(self, shards: int, salts: Salts = 1) -> None:
        check_shards(shards)
        counts = [salts if isinstance(salts, int) else salts.get(shard, 1) for shard in range(shards)]
        for shard, count in enumerate(counts):
            if count < 1:
                raise RobotrieError(f"a shard has 1 salt or more, and shard {shard} has {count}")
        self.counts = counts
        self.first = [sum(counts[:shard]) for shard in range(shards)]
        self.total = sum(counts)
        self.keys = partition_keys(self.total)

    def key(self, shard: Column, url: Column) -> Column:
        """The key of a URL. Its salt is a hash of it, so that a task that runs again gets the same rows."""
        salt = F.pmod(F.xxhash64(url), _at(self.counts, shard)).cast("int")
        return _at(self.keys, _at(self.first, shard) + salt)

    def rows(self) -> list[tuple[int, int]]:
        """Each slot's shard and key."""
        return [
            (shard, self.keys[first + salt])
            for shard, (first, count) in enumerate(zip(self.first, self.counts))
            for salt in range(count)
        ]


def _at(numbers: list[int], index: Column) -> Column:
    if len(set(numbers)) == 1:
        return F.lit(numbers[0])
    return F.element_at(F.array(*[F.lit(number) for number in numbers]), index + 1)


def partition_keys(partitions: int) -> list[int]:
    """For each partition an int that Spark's `repartition(partitions, key)` puts there."""
    keys: dict[int, int] = {}
    number = 0
    while len(keys) < partitions:
        keys.setdefault(murmur3(number) % partitions, number)
        number += 1
    return [keys[partition] for partition in range(partitions)]


def murmur3(number: int, seed: int = 42) -> int:
    """Murmur3 (x86, 32 bits) of an int, signed: Spark's `hash`."""
    mask = 0xFFFFFFFF

    def rotated(value: int, by: int) -> int:
        return (value << by | value >> 32 - by) & mask

    mixed = rotated(number * 0xCC9E2D51 & mask, 15) * 0x1B873593 & mask
    value = (rotated(seed ^ mixed, 13) * 5 + 0xE6546B64) & mask
    value ^= 4
    value = (value ^ value >> 16) * 0x85EBCA6B & mask
    value = (value ^ value >> 13) * 0xC2B2AE35 & mask
    value ^= value >> 16
    return value - (1 << 32) if value >> 31 else value
