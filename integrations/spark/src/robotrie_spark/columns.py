"""Between Arrow's columns and frames."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pyarrow as pa

from .child import Child

#: Names of verdicts, by their number.
VERDICTS = pa.array(["disallowed", "allowed", "unknown", "invalid"])

#: Bytes of URLs sent at once; the limit of a frame is larger.
MOST_BYTES = 256 * 1024 * 1024


def judged(child: Child, urls: pa.Array, crawlers: int) -> list[pa.Array]:
    """A verdict for each URL, a column for each crawler. A null is invalid."""
    count = len(urls)
    if count == 0:
        return [pa.array([], pa.string())] * crawlers
    if count > 1 and urls.nbytes > MOST_BYTES:
        half = count // 2
        halves = zip(judged(child, urls.slice(0, half), crawlers), judged(child, urls.slice(half), crawlers))
        return [pa.concat_arrays(pair) for pair in halves]
    child.send(b"A", *column_parts(urls))
    assert child.read_number() == count
    return [_named(child.read(count)) for _ in range(crawlers)]


def shards_of(child: Child, urls: pa.Array, shards: int) -> Any:
    """The shard of each URL's host, as an array of numpy. A null's is 0."""
    child.send(b"H", struct.pack("<I", shards), *column_parts(urls))
    count = child.read_number()
    return np.frombuffer(child.read(2 * count), "<u2")


def column_parts(texts: pa.Array) -> list[Any]:
    """What frame A holds: the column's own buffers, without a copy. Nulls become empty texts."""
    if not _has_layout(texts.type):
        texts = texts.cast(pa.binary())
    if texts.null_count > 0:
        texts = texts.fill_null(b"" if pa.types.is_binary(texts.type) or pa.types.is_large_binary(texts.type) else "")
    wide = pa.types.is_large_binary(texts.type) or pa.types.is_large_string(texts.type)
    width = 8 if wide else 4
    count = len(texts)
    header = struct.pack("<BI", width, count)
    if count == 0:
        return [header, bytes(width)]
    _, offsets, data = texts.buffers()
    table = np.frombuffer(offsets, "<i8" if wide else "<i4")[texts.offset : texts.offset + count + 1]
    start, end = int(table[0]), int(table[-1])
    if start > 0:
        table = table - start
    return [header, table.data, memoryview(data)[start:end] if end > start else b""]


def _has_layout(kind: pa.DataType) -> bool:
    types = pa.types
    return types.is_string(kind) or types.is_binary(kind) or types.is_large_string(kind) or types.is_large_binary(kind)


def _named(verdicts: bytes) -> pa.Array:
    return VERDICTS.take(pa.Array.from_buffers(pa.uint8(), len(verdicts), [None, pa.py_buffer(verdicts)]))
