"""Shards: rules of many sites in K snapshots for each crawler, as a table of their parts that Spark reads and writes anywhere."""

from __future__ import annotations

import struct
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
from .routing import Slots, col, column_of, with_shard

#: Rows of parts in a batch.
PARTS = 16

_SCHEMA = "shard int, shards int, crawler int, agent string, dialect string, part int, parts int, data binary"


def build_shards(
    robots: DataFrame,
    path: str,
    *,
    agents: Sequence[str],
    shards: int,
    origin: str = "origin",
    status: str = "status",
    body: str = "body",
    dialect: str = "rfc9309",
    mode: str = "errorifexists",
) -> None:
    """Compiles robots.txt records to shards, in executors, and writes them as Parquet.

    If an origin comes twice, its record with the highest status counts, then that whose body is last in the order of bytes.

    :param robots: A row for each origin: any URL of it, the HTTP status (null or 0: no answer) and the body (binary or string).
    :param path: A folder on any file system that Spark writes to.
    :param agents: The crawlers, as `--agent` of `robotrie index`.
    :param shards: Their number, from 1 to 4096; a shard should stay below 1 GiB.
    :param mode: What happens if the folder exists: "errorifexists" or "overwrite".
    """
    agents = checked_agents(agents)
    slots = Slots(shards)
    records = robots.select(
        col(column_of(robots, origin)).cast("string").alias("origin"),
        F.coalesce(col(column_of(robots, status)).cast("int"), F.lit(0)).alias("status"),
        F.coalesce(col(column_of(robots, body)).cast("binary"), F.lit(bytearray())).alias("body"),
    ).where("origin is not null")
    # A row without origin for each shard, so that one without records is written, too.
    every = robots.sparkSession.range(shards).select(
        F.lit(None).cast("string").alias("origin"),
        F.lit(0).alias("status"),
        F.lit(bytearray()).alias("body"),
        F.col("id").cast("int").alias("shard"),
    )
    routed = with_shard(records, "origin", shards, "shard").unionByName(every)
    placed = routed.withColumn("key", slots.key(F.col("shard"), F.col("shard"))).repartition(shards, "key").drop("key")
    ordered = placed.sortWithinPartitions(F.col("origin").asc_nulls_first(), "status", "body")
    ordered.mapInArrow(_builder(agents, shards, dialect), _SCHEMA).write.mode(mode).parquet(path)


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
                columns = (batch.column(batch.schema.get_field_index(name)) for name in ("origin", "status", "body", "shard"))
                origins, statuses, bodies, numbers = columns
                for row in range(batch.num_rows):
                    shard = numbers[row].as_py()
                    if origins[row].is_valid:
                        child.send(b"R", *record_parts(origins[row].as_py(), statuses[row].as_py(), bodies[row].as_buffer()))
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


def record_parts(origin: str, status: int, body: pa.Buffer) -> list[object]:
    """What frame R holds."""
    name = origin.encode()
    # What is no status at all counts as a server's error, whatever the number.
    code = 0 if status < 0 else min(status, 999)
    return [struct.pack("<I", len(name)), name, struct.pack("<h", code), body]


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
