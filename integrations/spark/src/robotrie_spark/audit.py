"""The audit of many access logs: a state of each, made in executors, and one report of all states."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Callable

import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import SparkSession

from .command import robotrie_command
from .errors import RobotrieError
from .files import share


def audit_logs(
    spark: SparkSession,
    logs: str | Sequence[str],
    robots: str,
    *,
    options: Sequence[str] = (),
    report: Sequence[str] = (),
) -> bytes:
    """The report of `robotrie audit` on many logs, which are read in executors.

    :param logs: Folders, files or patterns that Spark reads; each log is less than 2 GiB, and may be compressed. Logs count in the
        order of their paths.
    :param robots: The robots.txt file, on the driver.
    :param options: Of `robotrie audit`, about logs: `["--agents", "GPTBot"]`.
    :param report: Of `robotrie audit merge`, about the report: `["--output", "json"]`.
    """
    name = share(spark.sparkContext, robots)
    paths = [logs] if isinstance(logs, str) else list(logs)
    contents = spark.read.format("binaryFile").load(paths).select("path", "content")
    states = contents.mapInArrow(_auditor(name, Path(robots).name, list(options)), "path string, state binary")
    with tempfile.TemporaryDirectory(prefix="robotrie-") as folder:
        files: dict[str, str] = {}
        for row in states.toLocalIterator():
            file = Path(folder, f"{len(files)}.state")
            file.write_bytes(row["state"])
            files[row["path"]] = str(file)
        if not files:
            raise RobotrieError(f"there are no logs in {', '.join(paths)}")
        return _run(["audit", "merge", *report, *(files[path] for path in sorted(files))])


def _auditor(shared: str, robots: str, options: list[str]) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        args = ["audit", "--robots", robots, *options, "--no-progress", "--state", "-", "-"]
        with tempfile.TemporaryDirectory(prefix="robotrie-") as folder:
            # Reports show the name of the file, not where an executor keeps it.
            Path(folder, robots).symlink_to(Path(SparkFiles.get(shared)).resolve())
            yield from states_of(batches, args, folder)

    def states_of(batches: Iterable[pa.RecordBatch], args: list[str], folder: str) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path, content in zip(batch.column(0).to_pylist(), batch.column(1)):
                try:
                    state = _run(args, content.as_buffer(), folder)
                except RobotrieError as error:
                    raise RobotrieError(f"{path}: {error}") from None
                yield pa.RecordBatch.from_arrays([pa.array([path]), pa.array([state], pa.binary())], names=["path", "state"])

    return run


def _run(args: list[str], content: pa.Buffer | None = None, folder: str | None = None) -> bytes:
    command = robotrie_command()
    try:
        ended = subprocess.run([*command, *args], input=content, cwd=folder, capture_output=True, check=False)
    except OSError as error:
        raise RobotrieError(f"robotrie cannot be started: {command[0]}: {error.strerror}") from None
    # 1 is the answer of --check.
    if ended.returncode not in (0, 1):
        raise RobotrieError(
            f"robotrie audit ended with exit code {ended.returncode}: {ended.stderr.decode(errors='replace').strip()}"
        )
    return ended.stdout
