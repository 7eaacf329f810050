"""`RobotsTxt`: a file read in one dialect. The module cuts it into records, chooses the lines that name a crawler, and compiles rules; here
lines besides rules are read (docs/hosting.md)."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Union

import ada_url

from ._engine import Program, Reader, runner, utf8
from ._matcher import DIALECTS, Matcher, Rule, bytes_of

Agent = Union[str, Sequence[str]]

_KIB_500 = 512_000
_ANY = 0xFFFFFFFF
#: READ_ flags, bytes of a line that are read, COMPILE_ flags, bytes of the file that are read, AGENTS_ flags.
_READING = {
    "rfc9309": (0, _ANY, 8, _KIB_500, 0),
    "google": (7, 16663, 5, None, 9),
    "yandex": (0, _ANY, 26, _KIB_500, 6),
}
_BOM = b"\xef\xbb\xbf"
_UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
#: More bytes are read in an instance of their own, since WebAssembly memory never shrinks.
_LARGE = 128 * 1024
_SECTION_FIELDS = {b"crawl-delay", b"request-rate", b"visit-time", b"content-signal", b"content-signals", b"content-usage"}
_DELAY = re.compile(r"\d{1,9}(?:\.\d*)?|\.\d+", re.A)
_SITEMAP = re.compile(r"(?:https?|ftp)://", re.I)


class Group(NamedTuple):
    """Rules and the crawlers that they are for."""

    agents: tuple[str, ...]
    """Values of the user-agent lines, as written."""
    line: int
    """Line number of the first of them, from 1."""


class Explanation(NamedTuple):
    """Whether a URL may be fetched, the rule that decides (None: no rule does), and the groups that the crawler obeys."""

    allowed: bool
    rule: Rule | None
    groups: tuple[Group, ...]


class _Line(NamedTuple):
    """A user-agent line."""

    value: bytes
    line: int
    first_rule: int


class RobotsTxt:
    """A robots.txt. Any content is accepted."""

    def __init__(self, data: bytes, dialect: str, max_bytes: int | None) -> None:
        """Use `RobotsTxt.parse`."""
        flags, line, self._flags, most, self._agent_flags = _READING[dialect]
        if max_bytes is not None:
            if max_bytes < 0:
                raise ValueError(f"max_bytes is {max_bytes}, less than 0")
            most = max_bytes
        limit = most if most is not None and len(data) > most else None
        if dialect != "google" and data.startswith(tuple(_UTF_16)):
            data = _decoded(data[:limit])
            limit = None if limit is None else len(data)
        end = len(data)
        if limit is not None:
            end = 0 if dialect == "yandex" else _whole_lines(data, limit)
        start = 3 if data.startswith(_BOM) else 0
        if dialect == "google" and not start:
            start = 2 if data.startswith(_BOM[:2]) else 1 if data.startswith(_BOM[:1]) else 0
        self.dialect = dialect
        self._data = data
        self._read = (data, min(start, end), end, flags, line)
        self._matchers: dict[tuple[tuple[int, int], ...], Matcher] = {}
        self._by_agent: dict[Agent, Matcher] = {}
        self._lines: list[_Line] | None = None
        self._rule_count, self._agent_records, self._others = self._reader().tokenise(*self._read)

    @classmethod
    def parse(
        cls, data: bytes | bytearray | memoryview | str, dialect: str = "rfc9309", max_bytes: int | None = None
    ) -> RobotsTxt:
        """Parses a robots.txt: bytes, or a `str`, which is taken as UTF-8.

        `dialect` is "rfc9309", "google" or "yandex". `max_bytes` is how much of the file is read: by default 512,000 bytes, and in the google
        dialect all; a larger file allows everything in the yandex dialect. Raises ValueError for another dialect, a negative `max_bytes` or a line
        of more than 16 MiB, TypeError for anything but bytes or a `str`.
        """
        if dialect not in DIALECTS:
            raise ValueError(f"{dialect!r} is none of the dialects {', '.join(DIALECTS)}")
        if isinstance(data, str):
            data = utf8(data)
        elif isinstance(data, (bytes, bytearray, memoryview)):
            data = bytes_of(data)
        else:
            raise TypeError(f"a robots.txt is bytes or a str, not {type(data).__name__}")
        return cls(data, dialect, max_bytes)

    def _reader(self) -> Reader:
        """The instance in which the file is read and its rules are compiled. That of a large file is not kept."""
        return Reader() if self._read[2] > _LARGE else runner

    @property
    def _agents(self) -> list[_Line]:
        if self._lines is None:
            data = self._data
            lines = [
                _Line(data[start:end], line, first_rule)
                for start, end, _, line, first_rule, _ in struct.iter_unpack("<6I", self._agent_records)
            ]
            # Only when it is whole, for other threads.
            self._lines = lines
        return self._lines

    def _chosen(self, agent: Agent, reader: Reader | None = None) -> tuple[int, ...]:
        """Indices of the user-agent lines that a crawler goes by."""
        names = [agent] if isinstance(agent, str) else list(agent) if isinstance(agent, Iterable) else []
        if not names or not all(isinstance(name, str) for name in names):
            raise TypeError("an agent is a product token, a User-Agent header, or a list of some")
        found = (reader or self._reader()).choose(*self._read, [utf8(name) for name in names], self._agent_flags)
        return struct.unpack(f"<{len(found) // 4}I", found)

    def _ranges(self, agent: Agent, reader: Reader) -> tuple[tuple[int, int], ...]:
        lines = self._agents
        starts = sorted({line.first_rule for line in lines})
        after = dict(zip(starts, [*starts[1:], self._rule_count]))
        return tuple((start, after[start]) for start in sorted({lines[i].first_rule for i in self._chosen(agent, reader)}))

    def for_agent(self, agent: Agent) -> Matcher:
        """The compiled rules for a crawler: its product token or its User-Agent header, or several tokens, the most specific first.

        For well-known crawlers the table adds what they fall back to (`Googlebot-News`, then `Googlebot`), and whether groups for `*` hold for
        them; to a list it adds nothing. The google dialect knows no crawlers. Raises TypeError, MemoryError.
        """
        reader = self._reader()
        ranges = self._ranges(agent, reader)
        matcher = self._matchers.get(ranges)
        if matcher is None:
            program, ranks = reader.compile(*self._read, list(ranges), self._flags)
            matcher = self._matchers[ranges] = Matcher(Program(program, True), (self._data, ranks), self.dialect)
        return matcher

    def is_allowed(self, url: str | bytes, agent: Agent) -> bool:
        """Whether a crawler may fetch a URL. For many URLs `for_agent` is faster. Raises ValueError for what is not a URL."""
        try:
            matcher = self._by_agent[agent]
        except KeyError:
            matcher = self.for_agent(agent)
            # Callers may pass whatever header comes along.
            if len(self._by_agent) >= 1000:
                self._by_agent.clear()
            self._by_agent[agent] = matcher
        except TypeError:
            matcher = self.for_agent(agent)
        return matcher.is_allowed(url)

    def explain(self, url: str | bytes, agent: Agent) -> Explanation:
        """Whether a crawler may fetch a URL, by which rule, and which groups it obeys. Raises ValueError for what is not a URL."""
        matcher = self.for_agent(agent)
        return Explanation(matcher.is_allowed(url), matcher.match(url), self.groups_for(agent))

    @property
    def groups(self) -> tuple[Group, ...]:
        """All groups, in file order."""
        return self._groups_of({line.first_rule for line in self._agents})

    def groups_for(self, agent: Agent) -> tuple[Group, ...]:
        """The groups whose rules a crawler obeys, in file order."""
        return self._groups_of({self._agents[i].first_rule for i in self._chosen(agent)})

    def _groups_of(self, first_rules: set[int]) -> tuple[Group, ...]:
        groups: dict[int, list[_Line]] = {}
        for line in self._agents:
            if line.first_rule in first_rules:
                groups.setdefault(line.first_rule, []).append(line)
        return tuple(Group(tuple(_text(line.value) for line in lines), lines[0].line) for lines in groups.values())

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """Absolute URLs of the Sitemap lines, as written. They apply to all crawlers."""
        values = (_text(self._data[start:end]) for kind, _, _, start, end, *_ in struct.iter_unpack("<8I", self._others) if kind == 1)
        return tuple(value for value in values if _SITEMAP.match(value) and ada_url.check_url(value))

    def crawl_delay(self, agent: Agent) -> float | None:
        """Seconds between two requests: the first valid Crawl-delay directly below the crawler's user-agent lines."""
        data = self._data
        fields = [
            (data[name:name_end].lower(), _text(data[start:end]), before)
            for kind, name, name_end, start, end, _, before, _ in struct.iter_unpack("<8I", self._others)
            if kind == 0
        ]
        begins = {before for name, _, before in fields if name in _SECTION_FIELDS}
        section = -1
        sections: list[int] = []
        for i, line in enumerate(self._agents):
            if i == 0 or line.first_rule != self._agents[i - 1].first_rule or i in begins:
                section += 1
            sections.append(section)
        chosen = {sections[i] for i in self._chosen(agent)}
        for name, value, before in fields:
            if name == b"crawl-delay" and before and sections[before - 1] in chosen and _DELAY.fullmatch(value):
                return float(value)
        return None

    def __repr__(self) -> str:
        return f"<robotrie.RobotsTxt {self.dialect}, {len(self._data)} bytes>"


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _decoded(data: bytes) -> bytes:
    """UTF-16 with a byte order mark as UTF-8; half a character is U+FFFD."""
    return data[2:].decode(_UTF_16.get(data[:2], "utf-16-le"), "replace").encode()


def _whole_lines(data: bytes, most: int) -> int:
    """Where the last line that ends within a limit does: half a rule could say the opposite of the whole one."""
    if data[most : most + 1] in (b"\n", b"\r"):
        return most
    return max(data.rfind(b"\n", 0, most), data.rfind(b"\r", 0, most)) + 1
