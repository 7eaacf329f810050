"""The job: a verdict column for each crawler."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Callable

import numpy as np
import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from .child import Child, borrowed
from .columns import judged
from .errors import RobotrieError
from .files import context_of, share
from .routing import Salts, Slots, col, column_of, same_name, with_shard
from .shards import Shards, agent_args, checked_agents

Batches = Iterable[pa.RecordBatch]

#: The place of URLs in the order of a partition: behind all parts of snapshots.
_LAST = 2**31 - 1

#: Parts that a crawler's snapshot may have.
_MOST_PARTS = 2**20

#: Bytes that shards may take in a worker by default.
MEMORY = 256 * 1024 * 1024

#: Bytes of batches, all columns counted, whose URLs are sent to the child at once. Sent one by one, batches of Spark's usual size take an
#: eighth more CPU time in both processes: they wait for each other more often, and the child finds fewer of the rules in its caches.
TOGETHER = 16 * 1024 * 1024

_KEY, _PART, _DATA = "__robotrie_key", "__robotrie_part", "__robotrie_data"


def judge(
    urls: DataFrame,
    column: str,
    *,
    agents: Sequence[str],
    index: str | Sequence[str] | None = None,
    shards: str | Sequence[str] | None = None,
    salts: Salts = 1,
    memory: int = MEMORY,
) -> DataFrame:
    """The table with a column `verdict_<agent>` for each crawler: allowed, disallowed, unknown (no rules for that origin),
    later (its robots.txt could not be had when it was recorded: neither fetch nor drop the URL) or invalid.

    :param column: The column of URLs, strings or binaries. A null, and what is no URL, is invalid.
    :param agents: The crawlers, in the order of the columns.
    :param index: Files that `robotrie index` wrote, one for each crawler: on the driver, or on a Hadoop file system.
    :param shards: In place of `index`, a folder that `build_shards` wrote, or folders that `robotrie index --shards` wrote, one for
        each crawler.
    :param salts: Into how many partitions the URLs of a shard go where they are shuffled; `salts_for` counts them.
    :param memory: Bytes that shards may take in each Python worker. If all of them fit in, each worker loads them as one index.
        Otherwise URLs are shuffled to the shards of their hosts.
    """
    agents = checked_agents(agents)
    column = column_of(urls, column)
    kind = urls.schema[column].dataType
    if not isinstance(kind, (T.StringType, T.BinaryType)):
        raise RobotrieError(f"the column {column} holds strings or binaries, not {kind.simpleString()}")
    names = [f"verdict_{agent}" for agent in agents]
    taken = [each for each in urls.columns if any(same_name(urls, each, name) for name in names)]
    if taken:
        raise RobotrieError(f"the table has a column {taken[0]} already")
    schema = T.StructType([*urls.schema.fields, *(T.StructField(name, T.StringType()) for name in names)])
    if (index is None) == (shards is None):
        raise RobotrieError("rules come from index or from shards, one of them")
    if shards is not None:
        found = Shards.read(urls.sparkSession, shards, agents)
        context = context_of(urls.sparkSession)
        if context and found.memory <= memory:
            folders = found.share(context)
            return urls.mapInArrow(_by_index(column, agents, folders, ("--memory", str(memory))), schema)
        placed = _placed(urls, column, found, salts)
        return placed.mapInArrow(_by_shard(column, agents), schema)
    assert index is not None
    files = [index] if isinstance(index, str) else list(index)
    if len(files) != len(agents):
        raise RobotrieError(f"each crawler has an index, and there are {len(agents)} crawlers and {len(files)} indexes")
    shared = [share(urls.sparkSession.sparkContext, file) for file in files]
    return urls.mapInArrow(_by_index(column, agents, shared), schema)


def _by_index(
    column: str, agents: Sequence[str], files: Sequence[str], more: Sequence[str] = ()
) -> Callable[[Batches], Iterator[pa.RecordBatch]]:
    def run(batches: Batches) -> Iterator[pa.RecordBatch]:
        indexes = [word for file in files for word in ("--index", SparkFiles.get(file))]
        with borrowed((*agent_args(agents), *indexes, *more)) as child:
            yield from _with_verdicts(child, batches, column, agents)

    return run


def _with_verdicts(child: Child, batches: Batches, column: str, agents: Sequence[str]) -> Iterator[pa.RecordBatch]:
    for some in together(batches, TOGETHER):
        names = [*some[0].schema.names, *(f"verdict_{agent}" for agent in agents)]
        place = some[0].schema.get_field_index(column)
        verdicts = judged(child, [batch.column(place) for batch in some], len(agents))
        for batch, found in zip(some, verdicts):
            yield pa.RecordBatch.from_arrays([*batch.columns, *found], names=names)


def together(batches: Batches, size: int) -> Iterator[list[pa.RecordBatch]]:
    """Batches in groups, each of `size` bytes or a little more; the last one may have less."""
    some: list[pa.RecordBatch] = []
    gathered = 0
    for batch in batches:
        some.append(batch)
        gathered += batch.nbytes
        if gathered >= size:
            yield some
            some, gathered = [], 0
    if some:
        yield some


def _placed(urls: DataFrame, column: str, shards: Shards, salts: Salts) -> DataFrame:
    """URLs and parts of snapshots, each partition with one shard: its parts in their order, then URLs."""
    slots = Slots(shards.count, salts)
    routed = with_shard(urls, column, shards.count, _KEY)
    keyed = routed.select(
        slots.key(F.col(_KEY), col(column)).alias(_KEY),
        F.lit(_LAST).alias(_PART),
        F.lit(None).cast("binary").alias(_DATA),
        *[col(name) for name in urls.columns],
    )
    keys = urls.sparkSession.createDataFrame(slots.rows(), f"shard int, {_KEY} int")
    parts = shards.table.join(F.broadcast(keys), "shard").select(
        _KEY,
        (F.col("crawler") * _MOST_PARTS + F.col("part")).alias(_PART),
        F.col("data").alias(_DATA),
        *[F.lit(None).cast(field.dataType).alias(field.name) for field in urls.schema],
    )
    together = parts.union(keyed).repartition(slots.total, _KEY).drop(_KEY)
    return together.sortWithinPartitions(_PART)


def _by_shard(column: str, agents: Sequence[str]) -> Callable[[Batches], Iterator[pa.RecordBatch]]:
    def run(batches: Batches) -> Iterator[pa.RecordBatch]:
        with borrowed(agent_args(agents)) as child:
            yield from _with_verdicts(child, loaded(child, batches), column, agents)

    def loaded(child: Child, batches: Batches) -> Iterator[pa.RecordBatch]:
        """The rows of URLs, once the snapshots in front of them have been sent."""
        snapshots: dict[int, list[Any]] = {}
        is_loaded = False
        for batch in batches:
            places = batch.column(0)
            count = int(np.searchsorted(places.to_numpy(), _LAST))
            for row in range(count):
                snapshots.setdefault(places[row].as_py() // _MOST_PARTS, []).append(batch.column(1)[row].as_buffer())
            rows = pa.RecordBatch.from_arrays(batch.columns[2:], names=batch.schema.names[2:]).slice(count)
            if rows.num_rows == 0:
                continue
            if not is_loaded:
                if len(snapshots) < len(agents):
                    raise RobotrieError(f"of {len(agents)} crawlers' snapshots only {len(snapshots)} came before URLs")
                for crawler in sorted(snapshots):
                    child.send(b"I", *snapshots.pop(crawler))
                is_loaded = True
            yield rows

    return run
