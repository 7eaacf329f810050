"""`Matcher`, the compiled rules of one crawler, and the kinds of columns that it and `Index` take. Saved matchers are those of the npm
package: `Matcher.toBytes()` there is `Matcher.to_bytes()` here (docs/hosting.md has the layout)."""

from __future__ import annotations

import enum
import struct
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from ._engine import Program, checksum

if TYPE_CHECKING:
    import numpy
    import pyarrow

    Urls = Union[Sequence[str], Iterable[str], pyarrow.Array, pyarrow.ChunkedArray, numpy.ndarray]

DIALECTS = ("rfc9309", "google", "yandex")
_HEAD = struct.Struct("<4sHBBIII")
_RULE = struct.Struct("<IBI")


class Verdict(enum.IntEnum):
    """What bulk matching says about a URL, one byte each. Compare with `Verdict.ALLOWED`: all numbers but 0 are true."""

    DISALLOWED = 0
    ALLOWED = 1
    UNKNOWN = 2
    """Its origin is not in the index."""
    INVALID = 3
    """Not a URL."""
    LATER = 4
    """Its origin's robots.txt could not be had for now: neither fetch nor drop the URL. Only an index says so."""


class Rule(NamedTuple):
    """A rule as it stands in a robots.txt."""

    type: str
    """"allow" or "disallow"."""
    pattern: str
    line: int
    """Line number, from 1."""


class Column(NamedTuple):
    """Rows in memory as Arrow or NumPy have them."""

    data: Any
    offsets: Any
    width: int
    rows: int
    validity: Any
    """Where rows may be null: an array of booleans, else None."""


def columns_of(urls: Any) -> list[Column] | None:
    """The columns of an Arrow array or a NumPy array of bytes; None for anything else."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(urls, numpy.ndarray):
        if urls.dtype.kind != "S":
            return None
        rows = numpy.ascontiguousarray(urls.reshape(-1))
        width = rows.dtype.itemsize
        return [Column(rows.view(numpy.uint8) if rows.size else b"", None, width, rows.size, None)]
    arrow = sys.modules.get("pyarrow")
    if arrow is None or not isinstance(urls, (arrow.Array, arrow.ChunkedArray)):
        return None
    chunks = urls.chunks if isinstance(urls, arrow.ChunkedArray) else [urls]
    return [_arrow_column(arrow, chunk) for chunk in chunks]


def _arrow_column(arrow: Any, chunk: Any) -> Column:
    types = arrow.types
    if types.is_dictionary(chunk.type):
        chunk = chunk.dictionary_decode()
    if types.is_primitive(chunk.type):
        raise TypeError(f"a URL is a str or bytes, not {chunk.type}")
    if not any(getattr(types, f"is_{name}")(chunk.type) for name in ("string", "large_string", "binary", "large_binary")):
        # Binaries need not be UTF-8.
        is_binary = types.is_fixed_size_binary(chunk.type) or str(chunk.type) == "binary_view"
        chunk = chunk.cast(arrow.large_binary() if is_binary else arrow.large_string())
    width = 8 if types.is_large_string(chunk.type) or types.is_large_binary(chunk.type) else 4
    _, offsets, data = chunk.buffers()
    if offsets is None:
        return Column(b"", bytes(width), width, 0, None)
    place = memoryview(offsets)[chunk.offset * width : (chunk.offset + len(chunk) + 1) * width]
    return Column(data or b"", place, width, len(chunk), chunk.is_valid() if chunk.null_count else None)


def rows_in(urls: Any, name: str) -> Iterable[Any]:
    """The URLs in anything but columns, for the method of a name."""
    if isinstance(urls, (str, bytes)):
        raise TypeError(f"{name} takes a list of URLs; match_lines takes lines as bytes")
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(urls, numpy.ndarray):
        urls = urls.reshape(-1)
    rows: Iterable[Any] = urls.tolist() if hasattr(urls, "tolist") else urls
    return rows


def bytes_of(data: Any) -> bytes:
    """Bytes or a buffer as bytes; `bytes` alone would also take a number."""
    return data if type(data) is bytes else memoryview(data).tobytes()


def like(urls: Any, verdicts: bytes) -> Any:
    """Verdicts in the form that goes with the URLs: an array of uint8 for arrays, bytes for all else."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(urls, numpy.ndarray):
        return numpy.frombuffer(verdicts, dtype=numpy.uint8).reshape(urls.shape)
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(urls, (arrow.Array, arrow.ChunkedArray)):
        return arrow.Array.from_buffers(arrow.uint8(), len(verdicts), [None, arrow.py_buffer(verdicts)])
    return verdicts


def with_nulls(column: Column, verdicts: bytes) -> bytes:
    """Null rows are no URLs."""
    if column.validity is None:
        return verdicts
    some = bytearray(verdicts)
    for row, valid in enumerate(column.validity.to_pylist()):
        if not valid:
            some[row] = Verdict.INVALID
    return bytes(some)


def open_saved(data: Any, letters: bytes) -> tuple[str, int, int, int]:
    """Dialect and the three numbers of a preamble. Raises ValueError."""
    if len(data) < _HEAD.size:
        raise ValueError(f"{len(data)} bytes are fewer than the {_HEAD.size} of a preamble")
    magic, version, dialect, unused, *numbers = _HEAD.unpack_from(data)
    if magic != letters + b"\0":
        raise ValueError(f'these bytes do not begin with "{letters.decode()}"')
    if version != 1:
        raise ValueError(f"these bytes have version {version}, this is version 1")
    if dialect >= len(DIALECTS):
        raise ValueError(f"there is no dialect {dialect}")
    if unused != 0:
        raise ValueError(f"byte 7 is {unused}, not 0")
    return DIALECTS[dialect], *numbers


class Matcher:
    """The rules for one crawler, compiled. Made by `RobotsTxt.for_agent` or `Matcher.from_bytes`.

    URLs are absolute URLs or paths that begin with "/", `str` or UTF-8 bytes, percent-encoded or not. Its memory is freed with it.
    """

    __slots__ = ("_program", "_rules", "dialect", "is_allowed")

    def __init__(self, program: Program, rules: tuple[bytes, bytes], dialect: str) -> None:
        """Not to be called: it takes the rules' bytes and 16 bytes for each rank."""
        self._program = program
        self._rules = rules
        self.dialect = dialect
        #: is_allowed(url): whether the crawler may fetch a URL. Raises ValueError for what is not a URL.
        self.is_allowed = program.is_allowed

    def match(self, url: str | bytes) -> Rule | None:
        """The rule that decides about a URL; None if none does. Raises ValueError for what is not a URL."""
        best = self._program.match_one(url)
        if best < 0:
            raise ValueError(f'{repr(url)[:200]} is neither an absolute URL nor a path that begins with "/"')
        return self._rule(best >> 1) if best > 1 else None

    def match_many(self, urls: Urls) -> Any:
        """A `Verdict` for each URL: Disallowed, Allowed or Invalid.

        `urls` is a list or any iterable of `str` or bytes: the verdicts are `bytes`; a NumPy array of bytes ("S"): an array of uint8; or an
        Arrow array of strings or binaries: an Arrow array of uint8. Null is Invalid.
        """
        columns = columns_of(urls)
        if columns is None:
            rows = rows_in(urls, "match_many")
            return like(urls, self._program.match_list(rows if type(rows) is list else list(rows)))
        return like(
            urls,
            b"".join(
                with_nulls(column, self._program.match_column(column.data, column.offsets, column.width, column.rows))
                for column in columns
            ),
        )

    def match_lines(self, lines: bytes | bytearray | memoryview) -> bytes:
        """A `Verdict` byte for every line, ended by LF or CRLF; the last one may lack it. The fastest way."""
        return self._program.match_lines(lines)

    def to_bytes(self) -> bytes:
        """The matcher as bytes, for any platform and language."""
        table = bytearray()
        text, ranks = self._rules
        for start, end, allow, line in struct.iter_unpack("<4I", ranks):
            table += _RULE.pack(line, allow, end - start) + text[start:end]
        program = self._program.program
        body = program + bytes(table)
        return _HEAD.pack(b"RTM\0", 1, DIALECTS.index(self.dialect), 0, len(program), len(table), checksum(body)) + body

    @staticmethod
    def from_bytes(data: bytes | bytearray | memoryview) -> Matcher:
        """A matcher from the bytes of `to_bytes`. Safe with any bytes: they are verified. Raises ValueError."""
        data = bytes_of(data)
        dialect, size, table_size, given = open_saved(data, b"RTM")
        body = data[_HEAD.size :]
        if size + table_size != len(body):
            raise ValueError(f"{len(body)} bytes, where the preamble says {size + table_size}")
        if checksum(body) != given:
            raise ValueError("the checksum is wrong, so these bytes were cut off or changed")
        program = body[:size]
        loaded = Program(program, False)
        return Matcher(loaded, _read_rules(body[size:], struct.unpack_from("<I", program, 8)[0]), dialect)

    def _rule(self, rank: int) -> Rule | None:
        text, ranks = self._rules
        start, end, allow, line = struct.unpack_from("<4I", ranks, (rank - 1) * 16)
        if line == 0:
            return None
        return Rule("allow" if allow else "disallow", text[start:end].decode("utf-8", "replace"), line)

    def __repr__(self) -> str:
        return f"<robotrie.Matcher {self.dialect}, {len(self._program.program)} bytes>"

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return Matcher.from_bytes, (self.to_bytes(),)


def _read_rules(table: bytes, ranks: int) -> tuple[bytes, bytes]:
    fields = bytearray()
    at = 0
    for _ in range(ranks):
        if at + _RULE.size > len(table):
            raise ValueError("the rule table is cut off")
        line, allow, size = _RULE.unpack_from(table, at)
        at += _RULE.size
        if at + size > len(table):
            raise ValueError("the rule table is cut off")
        fields += struct.pack("<4I", at, at + size, allow & 1, line)
        at += size
    if at != len(table):
        raise ValueError("the rule table is longer than its rules")
    return table, bytes(fields)
