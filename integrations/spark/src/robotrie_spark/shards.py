"""Shards: rules of many sites in K snapshots for each crawler, as a table of their parts that Spark reads and writes anywhere."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from .child import borrowed
from .errors import RobotrieError
from .files import share_archive
from .folders import MANIFEST, PART, local_folder, pack, parts_of, read_manifest, write_folders
from .recorded import Answers, AsOf, Records, answer_columns, as_of_millis, table_bytes
from .routing import Slots

#: Rows of parts in a batch.
PARTS = 16

_SCHEMA = "shard int, shards int, crawler int, agent string, dialect string, part int, parts int, data binary"


def build_shards(
    robots: DataFrame | str | list[str],
    path: str,
    *,
    agents: Sequence[str],
    shards: int,
    origin: str = "origin",
    status: str = "status",
    body: str = "body",
    dialect: str = "rfc9309",
    as_of: AsOf = None,
    mode: str = "errorifexists",
) -> Records:
    """Compiles recorded answers to shards, in executors, and writes them as Parquet.

    They mean what they mean to `robotrie index`. If an origin comes twice, its later record counts: in the order of the table's rows, or of the
    files' paths. Where that order says nothing, as after a shuffle, give `as_of`. A redirect takes the answer that is recorded for its target.

    :param robots: A row for each answer, with `origin` (any URL of it) and any of `status` (0: no answer), `robots` or `body` (binary or string),
        `robots_b64`, `location`, `content_type`, `access`, `date` (a timestamp or text). Or paths of WARC files or JSON lines that Spark reads:
        folders, files or patterns; each file has less than 1 GiB.
    :param path: A folder on any file system that Spark writes to.
    :param agents: The crawlers, as `--agent` of `robotrie index`.
    :param shards: Their number, from 1 to 4096; a shard should stay below 1 GiB.
    :param origin, status, body: What these columns are called in the table.
    :param as_of: Of several answers of an origin the newest up to then counts: a datetime, "2026-03-01" (its end, in UTC) or "2026-03-01T12:00:00Z".
    :param mode: What happens if the folder exists: "errorifexists" or "overwrite".
    :returns: What became of the records.
    :raises RobotrieError: If there are none, or more than half of them cannot be used: most likely other data was meant. Nothing is written.
    """
    agents = checked_agents(agents)
    slots = Slots(shards)
    args = (*agent_args(agents), "--dialect", dialect)
    limit = as_of_millis(as_of)
    if isinstance(robots, (str, list, tuple)):
        spark = SparkSession.builder.getOrCreate()
        paths = [robots] if isinstance(robots, str) else robots
        answers = Answers.of_files(spark, paths, args, shards, limit)
    else:
        spark = robots.sparkSession
        names = answer_columns(robots, {"origin": origin, "status": status, "body": body})
        answers = Answers.of_table(robots, names, args, shards, limit)
    try:
        entries, records = answers.entries(limit is not None)
        # A row without origin for each shard, so that one without records is written, too.
        every = spark.range(shards).select(F.col("id").cast("int").alias("shard"))
        routed = entries.unionByName(every, allowMissingColumns=True)
        placed = routed.withColumn("key", slots.key(F.col("shard"), F.col("shard"))).repartition(shards, "key")
        ordered = placed.sortWithinPartitions(F.col("origin").asc_nulls_first(), "is_led", "place")
        rows = ordered.select("shard", "origin", "programs", "state")
        rows.mapInArrow(_builder(agents, shards, dialect), _SCHEMA).write.mode(mode).parquet(path)
    finally:
        answers.release()
    return records


def _builder(agents: Sequence[str], shards: int, dialect: str):  # type: ignore[no-untyped-def]
    args = (*agent_args(agents), "--dialect", dialect)
    schema = pa.schema(
        [
            ("shard", pa.int32()),
            ("shards", pa.int32()),
            ("crawler", pa.int32()),
            ("agent", pa.string()),
            ("dialect", pa.string()),
            ("part", pa.int32()),
            ("parts", pa.int32()),
            ("data", pa.binary()),
        ]
    )

    def build(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        shard = None
        with borrowed(args) as child:
            child.send(b"C")
            for batch in batches:
                if batch.num_rows > 0:
                    shard = batch.column(0)[0].as_py()
                origins = batch.column(1)
                child.send(b"T", table_bytes(batch.slice(origins.null_count)))
            if shard is None:
                return
            child.send(b"S")
            for crawler, agent in enumerate(agents):
                snapshot = child.reply(b"S")
                parts = [snapshot[at : at + PART] for at in range(0, len(snapshot), PART)]
                for first in range(0, len(parts), PARTS):
                    rows = [
                        (shard, shards, crawler, agent, dialect, part, len(parts), parts[part])
                        for part in range(first, min(first + PARTS, len(parts)))
                    ]
                    yield pa.RecordBatch.from_arrays(
                        [pa.array(values, field.type) for values, field in zip(zip(*rows), schema)], schema=schema
                    )

    return build


@dataclass(frozen=True)
class Shards:
    """Shards that are complete."""

    count: int
    crawlers: int
    dialect: str
    #: Bytes of all snapshots, at most.
    size: int
    #: A row for each part of a snapshot.
    table: DataFrame
    #: Folders of the driver that hold them already, and what their `index.json` says.
    folders: Sequence[tuple[Path, dict[str, Any]]] = ()

    @property
    def memory(self) -> int:
        """Bytes that all of them take at most in a child that has loaded them."""
        return self.size * 5 // 2 + self.count * self.crawlers * 2 * PART

    def share(self, context: SparkContext) -> list[str]:
        """Sends a folder for each crawler to all executors; returns their names for `SparkFiles.get`."""
        with tempfile.TemporaryDirectory(prefix="robotrie-") as name:
            target = Path(name)
            folders = self.folders or write_folders(self.table, self.count, self.crawlers, self.dialect, target)
            pack(folders, target / "shards.zip")
            archive = share_archive(context, target / "shards.zip")
        return [f"{archive}/{crawler}" for crawler in range(self.crawlers)]

    @staticmethod
    def read(spark: SparkSession, places: str | Sequence[str], agents: Sequence[str]) -> Shards:
        """
        :param places: A folder of `build_shards`, or one of `robotrie index --shards` for each crawler.
        :raises RobotrieError: If a shard is missing or not whole, or if they are for other crawlers.
        """
        paths = [places] if isinstance(places, str) else list(places)
        found = [read_manifest(spark, path) for path in paths]
        manifests = [manifest for manifest in found if manifest is not None]
        if len(manifests) == 0 and len(paths) == 1:
            return Shards._read_table(spark, paths[0], agents)
        if len(manifests) < len(paths):
            raise RobotrieError(f"{paths[found.index(None)]} has no {MANIFEST}, which robotrie index --shards writes")
        if len(paths) != len(agents):
            raise RobotrieError(f"each crawler has a folder, and there are {len(agents)} crawlers and {len(paths)} folders")
        count, dialect = len(manifests[0]["shards"]), manifests[0]["dialect"]
        for path, manifest in zip(paths, manifests):
            if len(manifest["shards"]) != count:
                raise RobotrieError(f"{paths[0]} has {count} shards, {path} has {len(manifest['shards'])}")
        size = sum(shard["bytes"] for manifest in manifests for shard in manifest["shards"])
        local = [local_folder(path) for path in paths]
        folders = [(folder, manifest) for folder, manifest in zip(local, manifests) if folder]
        table = parts_of(spark, paths, manifests)
        return Shards(count, len(paths), dialect, size, table, folders if len(folders) == len(paths) else ())

    @staticmethod
    def _read_table(spark: SparkSession, path: str, agents: Sequence[str]) -> Shards:
        table = spark.read.parquet(path)
        groups = Shards._parts(table).collect()
        if not groups:
            raise RobotrieError(f"{path} has no shards")
        count, dialect = groups[0]["shards"], groups[0]["dialect"]
        # Of all shards, as any of them may be missing: that is said below.
        found = list({group["crawler"]: group["agent"] for group in sorted(groups, key=lambda group: group["crawler"])}.values())
        if found != list(agents):
            raise RobotrieError(f"{path} is for {', '.join(found)}, not for {', '.join(agents)}")
        whole = {(group["shard"], group["crawler"]) for group in groups if group["rows"] == group["different"] == group["parts"]}
        missing = [shard for shard in range(count) if any((shard, crawler) not in whole for crawler in range(len(agents)))]
        if missing or len(groups) != count * len(agents):
            raise RobotrieError(f"{path} is not whole: of {count} shards, {missing or 'some'} are missing or damaged")
        # Of all parts but the last one of a snapshot this is what they have.
        return Shards(count, len(agents), dialect, PART * sum(group["rows"] for group in groups), table)

    @staticmethod
    def _parts(table: DataFrame) -> DataFrame:
        """Of each snapshot how many parts there are. `judge` asks before it returns, so no snapshot may be read: at 10^8 origins they have 60 GB."""
        return table.groupBy("shard", "shards", "crawler", "agent", "dialect", "parts").agg(
            F.count("*").alias("rows"), F.count_distinct("part").alias("different")
        )


def checked_agents(agents: Sequence[str]) -> list[str]:
    """:raises RobotrieError: Unless there are crawlers, each once."""
    if isinstance(agents, str) or len(agents) == 0 or len(set(agents)) < len(agents):
        raise RobotrieError(f"agents is a list of crawlers, each once, not {agents!r}")
    return list(agents)


def agent_args(agents: Sequence[str]) -> tuple[str, ...]:
    """Arguments of `robotrie stream` that name the crawlers."""
    return ("--each-agent", *(word for agent in agents for word in ("--agent", agent)))
