"""Shards: rules of many sites in K snapshots for each crawler, as a table of their parts that Spark reads and writes anywhere."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Union

import pyarrow as pa
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from .child import borrowed
from .errors import RobotrieError
from .files import share_archive
from .folders import MANIFEST, PART, local_folder, pack, parts_of, read_manifest, write_folders
from .recorded import Answers, AsOf, Records, Run, answer_columns, as_of_millis, kept_answers, table_bytes
from .routing import Slots

#: Rows of parts in a batch.
PARTS = 16

_SCHEMA = "shard int, shards int, crawler int, agent string, dialect string, part int, parts int, data binary"

#: What answers are given as.
Robots = Union[DataFrame, str, list[str]]


def build_shards(
    robots: Robots,
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
    updatable: bool = False,
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
    :param updatable: Whether the compiled answers are kept in the folder, too, for `update_shards`: about as many bytes again.
    :returns: What became of the records.
    :raises RobotrieError: If there are none, or more than half of them cannot be used: most likely other data was meant. Nothing is written.
    """
    agents = checked_agents(agents)
    slots = Slots(shards)
    args = (*agent_args(agents), "--dialect", dialect)
    limit = as_of_millis(as_of)
    answers = _answers(robots, {"origin": origin, "status": status, "body": body}, args, shards, limit)
    run = Run.after(-1)
    try:
        entries, records, _ = answers.entries(limit is not None, run)
        _write(entries, range(shards), slots, agents, dialect, run, path, mode)
        if updatable:
            answers.keep(path, run)
    finally:
        answers.release()
    return replace(records, shards=shards)


def update_shards(
    robots: Robots, path: str, *, origin: str = "origin", status: str = "status", body: str = "body", as_of: AsOf = None
) -> Records:
    """Brings shards up to date with newer records: they are then what `build_shards` would make of all records, the old ones first.

    Only shards are written that the records touch, or a redirect that leads past them. The old ones are in force until all is written; so they are
    for a job that has them open. The crawlers, the dialect and the number of shards are those of the folder. One update at a time.

    :param robots, origin, status, body, as_of: As of `build_shards`. With `as_of`, the folder has to be built with one, too.
    :param path: A folder of `build_shards` with `updatable=True`.
    :returns: What became of the new records, and how many shards were written.
    :raises RobotrieError: As `build_shards`; if the folder is not whole, or cannot be updated. Nothing has changed.
    """
    spark = _session(robots)
    old = Stored.read(spark, path)
    limit = as_of_millis(as_of)
    args = (*agent_args(old.agents), "--dialect", old.dialect)
    before = kept_answers(spark, path, old.names, limit is not None)
    answers = _answers(robots, {"origin": origin, "status": status, "body": body}, args, old.count, limit)
    run = Run.after(old.number)
    try:
        entries, records, touched = answers.entries(limit is not None, run, before)
        if touched:
            _write(entries, touched, Slots(old.count), old.agents, old.dialect, run, path, "append")
            answers.keep(path, run)
            # In one file, which is there or not: it puts the update into force.
            said = [(None, old.count, None, None, None, None, len(touched) * len(old.agents), None)]
            run.mark(spark.createDataFrame(said, _SCHEMA).coalesce(1)).write.mode("append").parquet(path)
    finally:
        answers.release()
    return replace(records, shards=len(touched or ()))


def _session(robots: Robots) -> SparkSession:
    return SparkSession.builder.getOrCreate() if isinstance(robots, (str, list, tuple)) else robots.sparkSession


def _answers(robots: Robots, given: Mapping[str, str], args: Sequence[str], shards: int, as_of: float | None) -> Answers:
    if isinstance(robots, (str, list, tuple)):
        paths = [robots] if isinstance(robots, str) else robots
        return Answers.of_files(_session(robots), paths, args, shards, as_of)
    return Answers.of_table(robots, answer_columns(robots, given), args, shards, as_of)


def _write(
    entries: DataFrame, written: Iterable[int], slots: Slots, agents: Sequence[str], dialect: str, run: Run, path: str, mode: str
) -> None:
    # A row without origin for each shard, so that one without records is written, too.
    every = entries.sparkSession.createDataFrame([(shard,) for shard in written], "shard int")
    routed = entries.unionByName(every, allowMissingColumns=True)
    placed = routed.withColumn("key", slots.key(F.col("shard"), F.col("shard"))).repartition(slots.total, "key")
    ordered = placed.sortWithinPartitions(F.col("origin").asc_nulls_first(), "is_led", "place")
    rows = ordered.select("shard", "origin", "programs", "state")
    run.mark(rows.mapInArrow(_builder(agents, slots.total, dialect), _SCHEMA)).write.mode(mode).parquet(path)


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
        stored = Stored.read(spark, path)
        if list(stored.agents) != list(agents):
            raise RobotrieError(f"{path} is for {', '.join(stored.agents)}, not for {', '.join(agents)}")
        # Of all parts but the last one of a snapshot this is what they have.
        return Shards(stored.count, len(agents), stored.dialect, PART * stored.rows, stored.table)


@dataclass(frozen=True)
class Stored:
    """A folder of `build_shards` that is whole."""

    count: int
    agents: Sequence[str]
    dialect: str
    #: The build and its updates.
    names: Sequence[str]
    #: Updates since it was built.
    number: int
    #: A row for each part of a snapshot that is in force, and how many there are.
    table: DataFrame
    rows: int

    @staticmethod
    def read(spark: SparkSession, path: str) -> Stored:
        """:raises RobotrieError: If a shard is missing or not whole."""
        table = spark.read.parquet(path)
        if "run" not in table.columns:
            # Written before there were updates.
            table = Run(0, "").mark(table)
        groups = Stored._parts(table).collect()
        # A row without shard is the last one of an update: what has none is on its way, or was killed.
        ends = sorted((group for group in groups if group["shard"] is None), key=lambda group: group["update"])
        if [end["update"] for end in ends] != list(range(1, len(ends) + 1)):
            raise RobotrieError(f"{path} was updated by two jobs at once, of which each left out what the other did; build it anew")
        done = {end["run"]: end["parts"] for end in ends}
        known = [group for group in groups if group["shard"] is not None and (group["update"] == 0 or group["run"] in done)]
        if not known:
            raise RobotrieError(f"{path} has no shards")
        count, dialect = known[0]["shards"], known[0]["dialect"]
        latest = {group["shard"]: group["update"] for group in sorted(known, key=lambda group: group["update"])}
        valid = [group for group in known if group["update"] == latest[group["shard"]]]
        # Of all shards, as any of them may be missing: that is said below.
        agents = list({group["crawler"]: group["agent"] for group in sorted(valid, key=lambda group: group["crawler"])}.values())
        whole = {(group["shard"], group["crawler"]) for group in valid if group["rows"] == group["different"] == group["parts"]}
        missing = [shard for shard in range(count) if any((shard, crawler) not in whole for crawler in range(len(agents)))]
        is_lost = any(sum(group["run"] == name for group in known) != parts for name, parts in done.items())
        if missing or is_lost or len(valid) != count * len(agents):
            raise RobotrieError(f"{path} is not whole: of {count} shards, {missing or 'some'} are missing or damaged")
        names = sorted({group["run"] for group in known})
        if done:
            force = spark.createDataFrame([(shard, update) for shard, update in latest.items()], "shard int, update int")
            table = table.where(F.col("run").isin(*names)).join(F.broadcast(force), ["shard", "update"])
        return Stored(count, agents, dialect, names, len(ends), table, sum(group["rows"] for group in valid))

    @staticmethod
    def _parts(table: DataFrame) -> DataFrame:
        """Of each snapshot how many parts there are. `judge` asks before it returns, so no snapshot may be read: at 10^8 origins they have 60 GB."""
        return table.groupBy("shard", "shards", "crawler", "agent", "dialect", "parts", "update", "run").agg(
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
