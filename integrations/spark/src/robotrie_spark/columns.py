"""Between Arrow's columns and frames."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .child import Child

#: Names of verdicts, by their number.
VERDICTS = pa.array(["disallowed", "allowed", "unknown", "invalid", "later"])

#: Bytes of a URL, at most. The child takes none that is longer for one, and a row with more bytes might not fit into a frame.
LONGEST_URL = 2**25

#: Bytes of a column or a table that are sent at once; the limit of a frame is larger.
MOST_BYTES = 256 * 1024 * 1024


def judged(child: Child, columns: Sequence[pa.Array], crawlers: int) -> list[list[pa.Array]]:
    """For each column of URLs its verdicts, an array for each crawler. A null is invalid, as is a text that is too long for a URL.
    The columns go into one frame."""
    columns = [without_long(urls) for urls in columns]
    if sum(urls.nbytes for urls in columns) > MOST_BYTES:
        if len(columns) > 1:
            return [judged(child, [urls], crawlers)[0] for urls in columns]
        (urls,) = columns
        half = len(urls) // 2
        if half > 0:
            halves = judged(child, [urls.slice(0, half)], crawlers) + judged(child, [urls.slice(half)], crawlers)
            return [[pa.concat_arrays(pair) for pair in zip(*halves)]]
    count = sum(map(len, columns))
    child.send(b"A", *column_parts(columns))
    reply = pa.py_buffer(child.reply(b"A"))
    assert len(reply) == count * crawlers
    replies = [reply.slice(count * crawler, count) for crawler in range(crawlers)]
    verdicts = []
    start = 0
    for urls in columns:
        verdicts.append([_named(reply.slice(start, len(urls))) for reply in replies])
        start += len(urls)
    return verdicts


def shards_of(child: Child, urls: pa.Array, shards: int) -> Any:
    """The shard of each URL's host, as an array of numpy. That of a null, and of a text that is too long for a URL, is 0."""
    child.send(b"H", struct.pack("<I", shards), *column_parts([without_long(urls)]))
    return np.frombuffer(child.reply(b"H"), "<u2")


def without_long(urls: pa.Array) -> pa.Array:
    """The column with nulls for texts that are too long for a URL."""
    if urls.nbytes <= LONGEST_URL:
        return urls
    if not _has_layout(urls.type):
        urls = urls.cast(pa.binary())
    lengths = pc.binary_length(urls)
    if (pc.max(lengths).as_py() or 0) <= LONGEST_URL:
        return urls
    return pc.if_else(pc.greater(lengths, LONGEST_URL), pa.scalar(None, urls.type), urls)


def column_parts(columns: Sequence[pa.Array]) -> list[Any]:
    """What frame A holds: columns of one type, one after the other. Texts are not copied. Nulls become empty texts."""
    types = pa.types
    is_wide = types.is_large_binary(columns[0].type) or types.is_large_string(columns[0].type)
    width = 8 if is_wide else 4
    tables: list[Any] = [np.zeros(1, f"<i{width}")]
    texts: list[Any] = []
    size = 0
    for column in columns:
        if len(column) == 0:
            continue
        if not _has_layout(column.type):
            column = column.cast(pa.binary())
        if column.null_count > 0:
            column = column.fill_null(b"" if types.is_binary(column.type) or types.is_large_binary(column.type) else "")
        _, offsets, data = column.buffers()
        table = np.frombuffer(offsets, f"<i{width}")[column.offset : column.offset + len(column) + 1]
        start, end = int(table[0]), int(table[-1])
        tables.append(table[1:] if start == size else table[1:] + (size - start))
        if end > start:
            texts.append(memoryview(data)[start:end])
        size += end - start
    return [struct.pack("<BI", width, sum(map(len, columns))), *(table.data for table in tables), *texts]


def _has_layout(kind: pa.DataType) -> bool:
    types = pa.types
    return types.is_string(kind) or types.is_binary(kind) or types.is_large_string(kind) or types.is_large_binary(kind)


def _named(verdicts: pa.Buffer) -> pa.Array:
    return VERDICTS.take(pa.Array.from_buffers(pa.uint8(), verdicts.size, [None, verdicts]))
