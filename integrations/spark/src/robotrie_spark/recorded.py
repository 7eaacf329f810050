"""What recorded answers mean together: the last one of an origin, by the newest date if asked, and redirects followed.

`robotrie stream` says what each record means (frame B), so that a status, a redirect's target or a WARC file is read as `robotrie index` reads it.
What that does with all records in one process, Spark does by sorting and joining: packages/sites/src/indexing/compile-sites.ts has the same in
`Redirects`. conformance/recorded.jsonl and random records (tests/test_updates.py) hold both to it.
"""

from __future__ import annotations

import json
import struct
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Callable, Optional, Union

import pyarrow as pa
from pyspark import StorageLevel, TaskContext
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from .child import borrowed
from .columns import MOST_BYTES
from .errors import RobotrieError
from .routing import col, column_of, same_name

#: Columns of answers, as `robotrie index` has them in JSON lines and Parquet.
COLUMNS = ["origin", "status", "robots", "body", "robots_b64", "location", "content_type", "access", "date"]

#: Redirects that are followed, as `HOPS` of compile-sites.ts.
HOPS = 5

#: Bytes of a file of answers, at most: it goes to the child as one frame.
LONGEST_FILE = 2**30 - 2**16

#: Remarks that an error or a report shows.
SHOWN = 5

_ANSWERS = "key string, is_origin boolean, shard int, time double, is_moved boolean, target string, programs binary"
_SCHEMA = f"{_ANSWERS}, source string, position bigint, counts string"

AsOf = Union[datetime, str, None]


@dataclass(frozen=True)
class Records:
    """What became of the records that shards were built of."""

    #: Those that say something about a site.
    used: int
    #: Those that cannot be used.
    faults: int
    #: Those of WARC files that are about something else.
    others: int
    #: Those after `as_of`.
    later: int
    #: Redirects that took the answer recorded for their target, and those whose target has none.
    followed: int
    unanswered: int
    #: Sentences about the first records that cannot be used, and about bodies that are hardly a robots.txt.
    remarks: tuple[str, ...]
    #: Shards that were written.
    shards: int = 0


@dataclass(frozen=True)
class Run:
    """A build, which is number 0, or an update of it."""

    number: int
    #: Rows of an update that was killed have the same number, and another name.
    name: str

    @staticmethod
    def after(number: int) -> Run:
        return Run(number + 1, uuid.uuid4().hex)

    def mark(self, table: DataFrame) -> DataFrame:
        """The table with columns that say whose its rows are."""
        return table.withColumn("update", F.lit(self.number)).withColumn("run", F.lit(self.name))


#: Where answers are kept for updates, in the folder of their shards: Spark leaves it out when it reads that.
KEPT = "_answers/rows"


def kept_answers(spark: SparkSession, path: str, names: Sequence[str], is_dated: bool) -> DataFrame:
    """The answers of a build and of its updates.

    :raises RobotrieError: If they were not kept, or without dates.
    """
    try:
        kept = spark.read.parquet(f"{path}/{KEPT}")
    except AnalysisException:
        raise RobotrieError(f"{path} cannot be updated: it was built without updatable=True") from None
    # An update that was killed may have left some.
    found = kept.where(F.col("run").isin(*names))
    if is_dated and not found.where("is_origin and time is null").isEmpty():
        raise RobotrieError(f"{path} was built without as_of, so it does not say when its answers were recorded")
    return found


class Answers:
    """Compiled answers of a table or of files, read once."""

    def __init__(self, table: DataFrame) -> None:
        self._all = table.persist(StorageLevel.DISK_ONLY)

    def keep(self, path: str, run: Run) -> None:
        """Keeps them for updates."""
        run.mark(self._all.where("counts is null").drop("counts")).write.mode("append").parquet(f"{path}/{KEPT}")

    @staticmethod
    def of_table(robots: DataFrame, names: Mapping[str, str], args: Sequence[str], shards: int, as_of: Optional[float]) -> Answers:
        """The rows of a table, whose order is the one in which Spark has them."""
        chosen = [col(name).alias(wanted) for wanted, name in names.items()]
        read = robots.select(*chosen).mapInArrow(_compiler(args, shards, as_of), _SCHEMA)
        return Answers(read)

    @staticmethod
    def of_files(spark: SparkSession, paths: Sequence[str], args: Sequence[str], shards: int, as_of: Optional[float]) -> Answers:
        """The records of WARC files or of JSON lines, in the order of the files' paths."""
        contents = spark.read.format("binaryFile").load(list(paths)).select("path", "content")
        return Answers(contents.mapInArrow(_file_compiler(args, shards, as_of), _SCHEMA))

    def release(self) -> None:
        self._all.unpersist()

    def entries(self, is_dated: bool, run: Run, before: Optional[DataFrame] = None) -> tuple[DataFrame, Records, Optional[list[int]]]:
        """Rows (shard, origin, programs, state, and `place`, by which they are sorted): of an origin the last one counts.

        :param before: What an update is made from: the answers that were kept. Then the numbers of the shards that it touches come with them.
        :raises RobotrieError: If there are no records, or most of them cannot be used.
        """
        counted = [json.loads(row[0]) for row in self._all.where("counts is not null").select("counts").collect()]
        rows = run.mark(self._all.where("counts is null").drop("counts")).withColumn("is_new", F.lit(True))
        touched: Optional[set[int]] = None
        if before is not None:
            touched = {row[0] for row in rows.where("is_origin").select("shard").distinct().collect()}
            rows = rows.unionByName(before.withColumn("is_new", F.lit(False)))
        place = F.struct(*([F.col("time")] if is_dated else []), "update", "source", "position")
        placed = rows.withColumn("place", place)
        answered = placed.where("is_origin and not is_moved").select(
            "shard",
            F.col("key").alias("origin"),
            "programs",
            F.lit(None).cast("string").alias("state"),
            F.lit(False).alias("is_led"),
            "place",
        )
        followed = unanswered = 0
        if not rows.where("is_moved").isEmpty():
            led = _led(placed, before is not None).persist(StorageLevel.DISK_ONLY)
            # Those that lead past nothing new have what they had.
            new = led.where("is_new")
            found = {row["is_followed"]: row["count"] for row in new.groupBy("is_followed").count().collect()}
            followed, unanswered = found.get(True, 0), found.get(False, 0)
            if touched is not None:
                touched |= {row[0] for row in new.select("shard").distinct().collect()}
            moved = led.select("shard", "origin", "programs", "state", F.lit(True).alias("is_led"), "place")
            answered = answered.unionByName(moved)
        records = _records(counted, followed, unanswered)
        if touched is None:
            return answered, records, None
        return answered.where(F.col("shard").isin(*touched)), records, sorted(touched)


def _led(placed: DataFrame, is_update: bool) -> DataFrame:
    """Of origins whose last record is a redirect what they get: a row (shard, origin, programs, state, is_followed, is_new, place).

    `is_new` says whether they lead past a record that is new, as all do that is built.
    """
    # Programs stay where they are until it is known which of them are wanted.
    said = F.struct("is_origin", "shard", "is_moved", "target", "is_new")
    last = placed.groupBy("key").agg(F.max_by(said, "place").alias("said"), F.max("place").alias("place")).select("key", "said.*", "place")
    moved = last.where("is_moved")
    new = last.where("is_new").select(F.col("key").alias("new"))
    hop = moved.select(F.col("key").alias("from"), F.col("target").alias("next"), F.lit(True).alias("goes_on"))
    ways = moved.where("is_origin").select("shard", F.col("key").alias("origin"), F.col("target").alias("at"), "is_new", "place")
    for number in range(HOPS):
        if is_update:
            ways = _passing(ways, new)
        is_over = F.lit(_ENDLESS) if number == HOPS - 1 else F.col("next")
        # A redirect that leads nowhere ends there; one after so many others is not followed.
        step = F.when(F.col("goes_on"), F.when(F.col("next").isNotNull(), is_over)).otherwise(F.col("at"))
        ways = ways.join(hop, F.col("at") == F.col("from"), "left").withColumn("at", step).drop("from", "next", "goes_on")
    if is_update:
        ways = _passing(ways, new)
    reached = ways.select(F.col("at").alias("key")).distinct()
    ends = last.where("not is_moved").join(reached, "key", "left_semi").select("key", "place")
    answers = placed.join(ends, ["key", "place"]).select(F.col("key").alias("end"), "programs")
    found = ways.join(answers, F.col("at") == F.col("end"), "left")
    state = F.when(F.col("at") == _ENDLESS, "allow-all").when(F.col("programs").isNull(), "later")
    is_followed = F.col("programs").isNotNull().alias("is_followed")
    return found.select("shard", "origin", "programs", state.alias("state"), is_followed, "is_new", "place")


def _passing(ways: DataFrame, new: DataFrame) -> DataFrame:
    """Ways, with `is_new` where they have come to something new."""
    met = ways.join(new, F.col("at") == F.col("new"), "left")
    return met.withColumn("is_new", F.col("is_new") | F.col("new").isNotNull()).drop("new")


#: Where redirects lead that lead in a circle, or over too many hops. No origin and no URL is called so.
_ENDLESS = "endless"


def _records(counted: Sequence[dict[str, Any]], followed: int, unanswered: int) -> Records:
    """:raises RobotrieError: As `robotrie index` ends with exit code 2."""
    used, others, later = (sum(one[name] for one in counted) for name in ("used", "others", "later"))
    faults = sum(one["faults"]["count"] for one in counted)
    said = [text for kind in ("faults", "doubts") for one in counted for text in one[kind]["first"]][:SHOWN]
    first = f": {said[0]}" if said else ""
    if faults > used:
        raise RobotrieError(f"{faults} of {used + faults} records cannot be used, more than half{first}; nothing was written")
    if used == 0 and later > 0:
        raise RobotrieError(f"all {later} records are later than as_of; nothing was written")
    if used == 0 and others > 0:
        raise RobotrieError(f"there is no robots.txt among {others} records; nothing was written")
    return Records(used, faults, others, later, followed, unanswered, tuple(said))


def answer_columns(table: DataFrame, given: Mapping[str, str]) -> dict[str, str]:
    """The columns of a table that say what was answered, by what `robotrie index` calls them.

    :param given: Names that were asked for; the others need not be there.
    :raises RobotrieError: If a column is missing, or none says what was answered.
    """
    found = {"origin": column_of(table, given.get("origin", "origin"))}
    for wanted in COLUMNS[1:]:
        name = given.get(wanted, wanted)
        is_there = any(same_name(table, each, name) for each in table.columns)
        if (is_there or name != wanted) and name not in found.values():
            found[wanted] = column_of(table, name)
    if not found.keys() & {"status", "robots", "body", "robots_b64", "access"}:
        column_of(table, "status")
    return found


def as_of_millis(as_of: AsOf) -> Optional[float]:
    """Milliseconds since 1970. A day is its end, in UTC; a time without an offset is in UTC.

    :raises RobotrieError: For a text that is no time.
    """
    if as_of is None:
        return None
    time = as_of
    if isinstance(time, str):
        try:
            # Before Python 3.11, "Z" is not read.
            time = datetime.fromisoformat(time[:-1] + "+00:00" if time.endswith("Z") else time)
        except ValueError:
            raise RobotrieError(f"as_of is a datetime, a day such as 2026-03-01 or a time such as 2026-03-01T12:00:00Z, not {as_of}") from None
    is_day = isinstance(as_of, str) and ":" not in as_of
    since = (time if time.tzinfo else time.replace(tzinfo=timezone.utc)).timestamp() * 1000
    return since + 86_400_000 - 1 if is_day else since


def _compiler(args: Sequence[str], shards: int, as_of: Optional[float]) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        partition = context.partitionId() if context else 0
        row = 0
        with borrowed(tuple(args)) as child:
            for batch in (part for batch in batches for part in _parts(batch)):
                head = _head(f"partition {partition}", shards, as_of, first=row + 1)
                child.send(b"B", head, table_bytes(batch))
                yield from _rows(child.reply(b"B"), "", (partition << 33) + row)
                row += batch.num_rows

    return run


def _parts(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The batch, in parts that fit into frames."""
    if batch.nbytes <= MOST_BYTES or batch.num_rows < 2:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _parts(batch.slice(0, half))
    yield from _parts(batch.slice(half))


def _file_compiler(args: Sequence[str], shards: int, as_of: Optional[float]) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with borrowed(tuple(args)) as child:
            for batch in batches:
                for path, content in zip(batch.column(0).to_pylist(), batch.column(1)):
                    data = content.as_buffer()
                    if data.size > LONGEST_FILE:
                        raise RobotrieError(f"{path} has {data.size} bytes, more than {LONGEST_FILE}; divide it")
                    child.send(b"B", _head(path, shards, as_of), data)
                    yield from _rows(child.reply(b"B"), path, 0)

    return run


def _head(name: str, shards: int, as_of: Optional[float], first: Optional[int] = None) -> bytes:
    said: dict[str, Any] = {"name": name, "shards": shards}
    if as_of is not None:
        said["asOf"] = as_of
    if first is not None:
        said["first"] = first
    text = json.dumps(said).encode()
    return struct.pack("<I", len(text)) + text


def table_bytes(batch: pa.RecordBatch) -> pa.Buffer:
    """A batch in Arrow's streaming format."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return sink.getvalue()


#: Rows that are handed on at once: some of them may have large programs.
_ROWS = 10_000


def _rows(reply: bytes, source: str, first: int) -> Iterator[pa.RecordBatch]:
    """Answers with their place, and a row with nothing but counts."""
    size = int.from_bytes(reply[:4], "little")
    counts = reply[4 : 4 + size].decode()
    table = pa.ipc.open_stream(pa.py_buffer(reply)[4 + size :]).read_all()
    types = [table.schema.field(name).type for name in table.schema.names]
    names = [*table.schema.names, "source", "position", "counts"]
    position = first
    for batch in table.combine_chunks().to_batches(max_chunksize=_ROWS):
        rows = batch.num_rows
        more = [pa.array([source] * rows, pa.string()), pa.array(range(position, position + rows), pa.int64()), pa.nulls(rows, pa.string())]
        position += rows
        yield pa.RecordBatch.from_arrays([*batch.columns, *more], names=names)
    none = [pa.nulls(1, kind) for kind in types]
    said = [pa.array([source], pa.string()), pa.array([position], pa.int64()), pa.array([counts], pa.string())]
    yield pa.RecordBatch.from_arrays([*none, *said], names=names)
