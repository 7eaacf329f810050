"""`Index`: the rules of many sites for one crawler, from a file that `robotrie index` or `RobotsIndex.toBytes()` wrote. The module knows the
origin of nearly every URL; what takes a parser of the URL standard is given to ada-url."""

from __future__ import annotations

import itertools
import json
import mmap
import os
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import ada_url

from ._engine import Origins, checksum, utf8
from ._matcher import Column, Verdict, bytes_of, columns_of, like, open_saved, rows_in, with_nulls

if TYPE_CHECKING:
    from ._matcher import Urls

_HEAD = 20
_CHUNK = 64 * 1024
_ROWS = 1024
_UNUSUAL = 255


class Index:
    """Rules of many sites for one crawler. Made by `Index.load` or `Index.from_bytes`."""

    def __init__(self, origins: Origins, agents: list[str], dialect: str) -> None:
        """Use `Index.load`."""
        self._origins = origins
        self._google = dialect == "google"
        self.agents = agents
        self.dialect = dialect

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Index:
        """Reads an index from a file. Safe with any file: every program is verified. Raises OSError, ValueError, MemoryError."""
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                raise ValueError(f"{os.fspath(path)!r} is empty")
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return Index.from_bytes(data)

    @staticmethod
    def from_bytes(data: bytes | bytearray | memoryview | mmap.mmap) -> Index:
        """The same from bytes."""
        with memoryview(data) as given, given.cast("B") as view:
            dialect, names, programs, origins = open_saved(view, b"RTO")
            end = len(view) - 4
            if end < _HEAD + names:
                raise ValueError("the index is cut off")
            with view[:end] as counted:
                if checksum(counted) != struct.unpack_from("<I", view, end)[0]:
                    raise ValueError("the checksum is wrong, so these bytes were cut off or changed")
            try:
                # Not json.loads(bytes), which reads UTF-16 and a byte order mark, too.
                agents = json.loads(str(view[_HEAD : _HEAD + names], "utf-8"))
            except (ValueError, RecursionError):
                raise ValueError("the agents of the index are no JSON") from None
            if not isinstance(agents, list) or not agents or not all(isinstance(agent, str) for agent in agents):
                raise ValueError("the agents of the index are no list of names")
            made = Origins(os.urandom(32), 0xFFFFFFFF)
            with view[_HEAD + names : end] as entries:
                made.load(entries, origins, programs)
        return Index(made, agents, dialect)

    def __len__(self) -> int:
        """Origins in the index."""
        return self._origins.count

    def __repr__(self) -> str:
        return f"<robotrie.Index {self.dialect}, {len(self)} origins, for {', '.join(self.agents)}>"

    def match(self, urls: Urls) -> Any:
        """A `Verdict` for each absolute URL: Disallowed, Allowed, Unknown (the index has no rules for its origin), Later (its
        robots.txt could not be had) or Invalid.

        Takes and gives what `Matcher.match_many` does.
        """
        columns = columns_of(urls)
        if columns is None:
            return like(urls, self._match_rows(map(_url_bytes, rows_in(urls, "match"))))
        return like(urls, b"".join(with_nulls(column, self._match_rows(_rows_of(column))) for column in columns))

    def _match_rows(self, rows: Iterator[bytes]) -> bytes:
        verdicts = bytearray()
        while some := list(itertools.islice(rows, _ROWS)):
            # A row with a line end of its own is an empty line, and judged by itself.
            lines = [b"" if b"\n" in row or row.endswith(b"\r") else row for row in some]
            judged = bytearray(self.match_lines(b"\n".join(lines) + b"\n"))
            for i, line in enumerate(lines):
                if not line and some[i]:
                    judged[i] = self._match_one(some[i])
            verdicts += judged
        return bytes(verdicts)

    def match_lines(self, lines: bytes | bytearray | memoryview) -> bytes:
        """The same for every line of bytes, ended by LF or CRLF; the last one may lack it."""
        data = bytes_of(lines)
        verdicts = bytearray()
        start = 0
        while start < len(data):
            end = len(data)
            if end - start > 2 * _CHUNK:
                end = data.rfind(b"\n", start, start + 2 * _CHUNK) + 1 or data.find(b"\n", start) + 1 or end
            with memoryview(data)[start:end] as chunk:
                place, judged, unusual = self._origins.match(chunk, self._google)
            if unusual:
                starts = [address - place for (address,) in struct.iter_unpack("<I", unusual)]
                judged = self._settled(judged, data[start:end], starts)
            verdicts += judged
            start = end
        return bytes(verdicts)

    def _settled(self, judged: bytes, chunk: bytes, unusual: list[int]) -> bytes:
        verdicts = bytearray(judged)
        at = -1
        for first in unusual:
            at = judged.index(_UNUSUAL, at + 1)
            end = chunk.find(b"\n", first)
            line = chunk[first : end if end >= 0 else len(chunk)]
            verdicts[at] = self._match_one(line[:-1] if line.endswith(b"\r") else line)
        return bytes(verdicts)

    def _match_one(self, url: bytes) -> int:
        try:
            parsed = ada_url.URL(url.decode("utf-8", "replace"))
        except ValueError:
            return Verdict.INVALID
        # Without a host ("mailto:a@b") it is of no site.
        if not parsed.host:
            return Verdict.INVALID
        return self._origins.match_in(f"{parsed.protocol}//{parsed.host}".encode(), url)


def _url_bytes(url: Any) -> bytes:
    if isinstance(url, str):
        return utf8(url)
    if isinstance(url, bytes):
        return url
    raise TypeError(f"a URL is a str or bytes, not {type(url).__name__}")


def _rows_of(column: Column) -> Iterator[bytes]:
    data, offsets, width, count, _ = column
    with memoryview(data) as view:
        if offsets is None:
            for at in range(0, count * width, width):
                yield bytes(view[at : at + width]).rstrip(b"\0")
        else:
            places = memoryview(offsets).cast("q" if width == 8 else "i")
            for i in range(count):
                yield bytes(view[places[i] : places[i + 1]])
