"""The host that docs/hosting.md shows, as it stands there, and wrong uses of the module by one that knows no better: each is an error code.

It needs the modules (`npm run build`), and wasmtime's Python binding. `test/hosting.test.ts` compares the rest of the page with the modules.
"""

import json
import pathlib
import re
import struct

import pytest

wasmtime = pytest.importorskip("wasmtime")
ROOT = pathlib.Path(__file__).parents[3]
PAGE = (ROOT / "docs/hosting.md").read_text()
CODE = re.search(r"```python\n(.*?)```", PAGE, re.S).group(1)
MAIN = str(ROOT / "dist/robotrie.simd.wasm")
INDEX = str(ROOT / "dist/robotrie-index.simd.wasm")
shown = {}
exec(compile(CODE, "docs/hosting.md", "exec"), shown)

NO_MEMORY, INVALID, NO_MEMORY_ONE, WRONG_USE = -1, -1, -2, -3
MAX_LINE = 134216704
PADDING = shown["PADDING"]

ROBOTS = (
    b"\xef\xbb\xbfUser-agent: a\nDisallow: /a%62c\nDisallow: /*x*y*z\n\nUser-agent: b\nUser-agent: *\nAllow: /b$\nDisallow: /b\n"
)
#        agent, URL: verdict, rank of the deciding rule
VERDICTS = [
    ("a", "https://h/abc", False, 1),
    ("a", "/1x2y3z", False, 2),
    ("A/1.0", "/1x2y3z", False, 2),
    ("a", "/b", True, 0),
    ("b", "/b", True, 2),
    ("c", "/bc", False, 1),
    ("c", "/robots.txt", True, 3),
]


@pytest.fixture
def module():
    return shown["Module"](MAIN)


@pytest.mark.parametrize(("agent", "url", "allowed", "rank"), VERDICTS)
def test_the_host_of_the_page_judges(module, agent, url, allowed, rank):
    program = module.load(module.compile(ROBOTS, agent))
    assert module.judge(program, url) == (rank, allowed)
    assert module.judge_lines(program, f"{url}\r\nno url\n{url}".encode()) == bytes([allowed, 3, allowed])


@pytest.mark.parametrize("dialect", shown["DIALECTS"])
def test_conformance(module, dialect):
    rows = [json.loads(line) for line in (ROOT / "conformance/verdicts.jsonl").read_text().splitlines()]
    rows = [row for row in rows if row["dialect"] == dialect and isinstance(row["agent"], str) and "robots" in row]
    files = {}
    for row in rows:
        files.setdefault((row["robots"], row["agent"]), []).append(row)
    wrong = []
    # Each call takes tens of microseconds here: a part of the rows does.
    for (robots, agent), some in list(files.items())[::3]:
        program = module.load(module.compile(robots.encode(), agent, dialect))
        for row in some:
            verdict = module.judge(program, row["url"])
            if verdict is None or verdict[1] != row["allowed"]:
                wrong.append(row)
        module.call("release", program)
    assert files and not wrong


class Loaded:
    """A module with a program and a text, and the arguments of a right call."""

    def __init__(self, change=None, reserved=True):
        self.module = shown["Module"](MAIN)
        program = bytearray(self.module.compile(ROBOTS, "a"))
        if change:
            change(program)
        self.program = self.module.address("allocate", len(program))
        self.module.write(self.program, bytes(program))
        if reserved:
            assert self.module.call("reserveVisited", self.program)
        self.length = 4
        self.start = self.module.address("input", 2 * self.length + PADDING + 1)
        self.module.write(self.start, b"/abc")

    def results(self):
        to = self.start + self.length + PADDING
        return (
            self.module.call("matchOne", self.program, self.start, self.length),
            self.module.call("matchLines", self.program, self.start, self.length, to),
        )


def put(offset, *values):
    def change(program):
        program[offset : offset + len(values)] = bytes(values)

    return change


TABLE, VERSION, VISITED = 5, 4, 16


def test_the_right_use():
    assert Loaded().results() == (2, 1)


MISUSES = {
    "a table that is not there": lambda: Loaded(put(TABLE, 3)),
    "the last number of a table but one": lambda: Loaded(put(TABLE, 254)),
    "another version of programs": lambda: Loaded(put(VERSION, 2)),
    "version 0": lambda: Loaded(put(VERSION, 0)),
    "a visited set that was not reserved": lambda: Loaded(reserved=False),
    "a visited set larger than what was reserved": lambda: Loaded(put(VISITED, 1, 1), reserved=False),
    "no program": lambda: with_arguments(program=0),
    "static data for a program": lambda: with_arguments(program=1024),
    "the text for a program": lambda: with_arguments(program="start"),
    "no text": lambda: with_arguments(start=0),
    "text in front of the region": lambda: with_arguments(before=1),
    "text far in front of the region": lambda: with_arguments(before=1000),
    "text behind the region": lambda: with_arguments(before=-(2**20)),
    "text at the end of memory": lambda: with_arguments(start=0xFFFFFFF0),
    "text that ends outside": lambda: with_arguments(length=2**20),
    "text without its padding": lambda: with_arguments(length=81920 - PADDING + 1),
}


def with_arguments(before=0, **arguments):
    loaded = Loaded()
    loaded.start -= before
    for name, value in arguments.items():
        setattr(loaded, name, getattr(loaded, value) if isinstance(value, str) else value)
    return loaded


@pytest.mark.parametrize("misuse", MISUSES)
def test_a_wrong_use_is_an_error_code(misuse):
    assert MISUSES[misuse]().results() == (WRONG_USE, WRONG_USE)


def test_more_than_memory_has_room_for(module):
    program = module.load(module.compile(ROBOTS, "a"))
    start = module.address("input", 1)
    for length in (MAX_LINE + 1, 2**31, 2**32 - 1):
        assert module.call("matchOne", program, start, length) == NO_MEMORY_ONE
        assert module.call("matchLines", program, start, length, start) == NO_MEMORY
    for name in ("allocate", "input", "placeText"):
        for size in (2**29 + 1, 2**31, 2**32 - 1):
            assert module.call(name, size) == 0
    assert module.judge(program, "/abc") == (1, False)


def test_before_anything_was_placed(module):
    assert module.call("matchOne", 2**16, 0, 0) == WRONG_USE
    assert module.call("gather", 0, 8) == 1
    assert module.judge(module.load(module.compile(b"", "a")), "/abc") == (0, True)


@pytest.mark.parametrize("change", [put(TABLE, 3), put(VERSION, 2), put(0, 1), put(28, 255, 255, 255, 255)])
def test_what_is_no_program_is_refused(change):
    loaded = Loaded()
    program = bytearray(loaded.module.compile(ROBOTS, "a"))
    change(program)
    with pytest.raises(ValueError, match="not a program"):
        loaded.module.load(bytes(program))


def test_every_cut_program_is_refused(module):
    program = module.compile(ROBOTS, "a")
    for size in range(len(program)):
        with pytest.raises(ValueError, match="not a program"):
            module.load(program[:size])


class Index(shown["Module"]):
    """An index with one origin, whose rules forbid /a."""

    def __init__(self, opened=True):
        super().__init__(INDEX)
        self.write(self.address("hashKeys"), bytes(range(32)))
        if not opened:
            return
        assert self.call("openOrigins", 2**30)
        main = shown["Module"](MAIN)
        main.compile(b"User-agent: *\nDisallow: /a\n", "a")
        at = main.address("compileCompact", 8)
        program = bytes(main.memory.read(main.store, at, at + (main.words(at, 1)[0] & 0xFFFFFF)))
        origin = b"https://example.com"
        at = self.address("input", len(origin) + len(program))
        self.write(at, origin + program)
        assert self.call("setOrigin", at, len(origin), at + len(origin))

    def judge_urls(self, text):
        size = len(text)
        at = self.address("input", 4 * size + PADDING + 8)
        self.write(at, text)
        to = at + size + PADDING
        unusual = to + size + 1 + 3 & ~3
        lines = self.call("matchOrigins", at, size, to, unusual, 0)
        end = self.address("endOfUnusual")
        assert (end - unusual) % 4 == 0
        starts = [address - at for address in self.words(unusual, (end - unusual) // 4)]
        return self.memory.read(self.store, to, to + lines), starts


def test_an_index_judges():
    text = b"https://example.com/abc\nhttps://example.com/b\nhttps://other.example/\nhttps://u@example.com/a\nno url\n"
    verdicts, unusual = Index().judge_urls(text)
    assert list(verdicts) == [0, 1, 2, 255, 3]
    assert [text[start : start + 11] for start in unusual] == [b"https://u@e"]


def test_wrong_uses_of_an_index():
    index = Index(opened=False)
    assert index.call("matchOrigins", 0, 8, 0, 0, 0) == WRONG_USE
    index = Index()
    at = index.address("input", 100)
    program = index.address("findOrigin", *placed(index, b"https://example.com"))
    assert index.call("findOrigin", *placed(index, b"https://other.example")) == 0
    assert index.call("matchOne", program, at + 2**20, 8) == WRONG_USE
    assert index.call("matchOne", 0, at, 8) == WRONG_USE
    assert index.call("matchOne", 0, at, MAX_LINE + 1) == NO_MEMORY_ONE
    assert index.call("matchOrigins", at, 2**20, at, at, 0) == WRONG_USE
    assert index.call("matchOrigins", at, 2**31, at, at, 0) == NO_MEMORY
    assert index.call("matchOrigins", at - 1, 8, at, at, 0) == WRONG_USE


def test_an_index_is_opened_once():
    assert Index().call("openOrigins", 2**30) == 0


@pytest.mark.parametrize("pair", [(2, 1), (0, 3), (2**32 - 1, 2**32 - 1)])
def test_pairs_that_name_no_rules(module, pair):
    module.compile(b"User-agent: *\nDisallow: /a\nDisallow: /b\n", "a")
    module.write(module.address("placeRanges", 1), struct.pack("<2I", *pair))
    assert module.call("gather", 1, 0) == 0
    assert module.call("gather", 2, 0) == 0


def test_entries_that_are_not_sound_are_refused():
    index = Index()
    # An entry whose number no program has.
    entry = struct.pack("<I", 7) + bytes(16)
    assert index.call("loadEntries", *placed(index, entry), 10) == 0
    assert index.call("loadFailure") != 0


def placed(module, data):
    at = module.address("input", len(data))
    module.write(at, data)
    return at, len(data)
