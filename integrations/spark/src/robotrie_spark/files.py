"""Files that all executors get a copy of."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import Callable
from urllib.parse import unquote, urlsplit

from pyspark import SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from .errors import RobotrieError

#: Files that executors of an application have.
_sent: set[tuple[str, str]] = set()


def context_of(spark: SparkSession) -> SparkContext | None:
    """What sends files to executors, which Spark Connect does not have."""
    try:
        return spark.sparkContext
    except PySparkException:
        return None


def share(context: SparkContext, file: str) -> str:
    """Sends a file to all executors, and returns its name for `SparkFiles.get`.

    The name says what a file of the driver holds, so that no older one of the same name is taken for it.

    :raises RobotrieError: If it cannot be read.
    """
    place = urlsplit(file)
    if place.scheme not in ("", "file"):
        context.addFile(file)
        return file.rsplit("/", 1)[-1]
    return _send(context, Path(unquote(place.path) if place.scheme else file), context.addFile)


def share_archive(context: SparkContext, archive: Path) -> str:
    """Sends an archive to all executors, which unpack it, and returns the folder's name for `SparkFiles.get`."""
    return _send(context, archive, context.addArchive)


def _send(context: SparkContext, path: Path, add: Callable[[str], None]) -> str:
    try:
        name = f"robotrie-{_digest(path)}{path.suffix}"
        if (context.applicationId, name) in _sent:
            return name
        copy = Path(tempfile.mkdtemp(prefix="robotrie-")) / name
        atexit.register(shutil.rmtree, copy.parent, ignore_errors=True)
        shutil.copyfile(path, copy)
    except OSError as error:
        raise RobotrieError(f"cannot send {path} to executors: {error.strerror}") from None
    add(str(copy))
    _sent.add((context.applicationId, name))
    return name


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(2**20):
            digest.update(part)
    return digest.hexdigest()[:16]
