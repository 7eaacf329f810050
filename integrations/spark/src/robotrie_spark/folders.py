"""Folders as `robotrie index --shards` writes them."""

from __future__ import annotations

import json
import shutil
import struct
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from .errors import RobotrieError

#: What says which files of a folder are an index.
MANIFEST = "index.json"

#: Of the manifest, as robotrie index writes it.
VERSION = 1

#: Bytes of a snapshot in front of its agents; their length and the number of origins are among them.
_PREAMBLE = 20

#: Bytes of a snapshot in a row.
PART = 1024 * 1024

_PARTS = "shard int, crawler int, part int, data binary"


def read_manifest(spark: SparkSession, path: str) -> dict[str, Any] | None:
    """What `index.json` of a folder on the driver or on a Hadoop file system says; None if there is none.

    It is checked here for both ways of judging: a child that loads whole folders checks it again, one that is sent shards never sees it.
    :raises RobotrieError: If it is another version's, or not as robotrie index wrote it.
    """
    local = local_folder(path)
    try:
        if local:
            text = (local / MANIFEST).read_text()
        else:
            (row,) = spark.read.text(f"{path}/{MANIFEST}", wholetext=True).collect()
            text = row[0]
    except AnalysisException:
        return None
    try:
        manifest = json.loads(text)
        version, known = manifest["version"], manifest["hash"] == "crc32" and isinstance(manifest["agent"], list)
        shards = [(str(file["file"]), file["bytes"] + 0, file["origins"] + 0) for file in manifest["shards"]]
    except (ValueError, TypeError, KeyError):
        version, known, shards = None, False, []
    if isinstance(version, int) and version > VERSION:
        raise RobotrieError(f"{path}/{MANIFEST} has version {version}, this package reads version {VERSION}: a newer one wrote it")
    if version != VERSION or not known or not shards:
        raise RobotrieError(f"{path}/{MANIFEST} is not what robotrie index writes")
    # A host's shard is a place in the list: with one missing, or two in each other's place, every site would be unknown.
    for place, (file, _, _) in enumerate(shards):
        if not file.endswith(f"-{place:04}.index"):
            raise RobotrieError(f"{path}/{MANIFEST} was changed, shard {place} is {file}")
    total = sum(origins for _, _, origins in shards)
    if total != manifest["origins"]:
        raise RobotrieError(f"{path}/{MANIFEST} was changed, its shards have {total} origins, not {manifest['origins']}")
    return dict(manifest)


def local_folder(path: str) -> Path | None:
    """The folder of the driver that a path names, if there is one with an index."""
    place = urlsplit(path)
    if place.scheme not in ("", "file"):
        return None
    folder = Path(unquote(place.path) if place.scheme else path)
    return folder if (folder / MANIFEST).exists() else None


def parts_of(spark: SparkSession, paths: Sequence[str], manifests: Sequence[dict[str, Any]]) -> DataFrame:
    """The snapshots in folders, one for each crawler, as a table of their parts."""
    files: dict[tuple[int, str], int] = {}
    places: list[str] = []
    for crawler, (path, manifest) in enumerate(zip(paths, manifests)):
        local = local_folder(path)
        for shard, one in enumerate(manifest["shards"]):
            files[crawler, one["file"]] = shard
            places.append((local.resolve() / one["file"]).as_uri() if local else f"{path}/{one['file']}")
    names = [(name, crawler, shard) for (crawler, name), shard in files.items()]
    known = spark.createDataFrame(names, "name string, crawler int, shard int")
    found = (
        spark.read.format("binaryFile")
        .load(places)
        .select(F.element_at(F.split("path", "/"), -1).alias("name"), F.col("content"))
    )
    # Names hold a random number, so those of two folders differ.
    return found.join(F.broadcast(known), "name").select("shard", "crawler", "content").mapInArrow(_cut, _PARTS)


def _cut(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for row in range(batch.num_rows):
            shard, crawler = batch.column(0)[row].as_py(), batch.column(1)[row].as_py()
            content = batch.column(2)[row].as_buffer()
            for part, at in enumerate(range(0, content.size, PART)):
                data = [content.slice(at, min(PART, content.size - at)).to_pybytes()]
                yield pa.RecordBatch.from_arrays(
                    [
                        pa.array([shard], pa.int32()),
                        pa.array([crawler], pa.int32()),
                        pa.array([part], pa.int32()),
                        pa.array(data),
                    ],
                    names=["shard", "crawler", "part", "data"],
                )


def write_folders(table: DataFrame, count: int, crawlers: int, dialect: str, target: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Writes the snapshots of a table of parts to a folder for each crawler; returns them with what their `index.json` says."""
    folders: list[tuple[Path, dict[str, Any]]] = []
    for crawler in range(crawlers):
        (target / str(crawler)).mkdir()
        for shard in range(count):
            (target / str(crawler) / _name(shard)).touch()
    for row in table.select("shard", "crawler", "part", "data").toLocalIterator():
        with (target / str(row["crawler"]) / _name(row["shard"])).open("r+b") as file:
            file.seek(row["part"] * PART)
            file.write(row["data"])
    for crawler in range(crawlers):
        folder = target / str(crawler)
        shards: list[dict[str, Any]] = []
        agent: list[str] = []
        for shard in range(count):
            snapshot = folder / _name(shard)
            agent, origins = _head(snapshot)
            shards.append({"file": snapshot.name, "bytes": snapshot.stat().st_size, "origins": origins})
        total = sum(shard["origins"] for shard in shards)
        manifest = {"version": VERSION, "hash": "crc32", "agent": agent, "dialect": dialect, "origins": total, "shards": shards}
        (folder / MANIFEST).write_text(json.dumps(manifest))
        folders.append((folder, manifest))
    return folders


def _name(shard: int) -> str:
    return f"shard-{0:016x}-{shard:04}.index"


def _head(file: Path) -> tuple[list[str], int]:
    """The crawler and the number of origins in a snapshot."""
    with file.open("rb") as source:
        length, _, origins = struct.unpack("<8xIII", source.read(_PREAMBLE))
        return json.loads(source.read(length)), origins


def pack(folders: Sequence[tuple[Path, dict[str, Any]]], archive: Path) -> None:
    """Puts folders that `robotrie index --shards` wrote into an archive, as 0, 1, …"""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as target:
        for crawler, (folder, manifest) in enumerate(folders):
            for name in (*(shard["file"] for shard in manifest["shards"]), MANIFEST):
                # The same bytes for the same content, whenever it was written.
                about = zipfile.ZipInfo(f"{crawler}/{name}")
                with (folder / name).open("rb") as source, target.open(about, "w", force_zip64=True) as entry:
                    shutil.copyfileobj(source, entry, PART)
