"""What the package's classes take and give, as tables; verdicts themselves are in test_conformance.py."""

import base64
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy
import pyarrow
import pytest
from data import ROOT, readme_code, stored

from robotrie import Index, Matcher, RobotsTxt, Verdict

ROBOTS = RobotsTxt.parse(
    "User-agent: a\nDisallow: /x\nAllow: /x/y\nSitemap: https://h.example/s.xml\n\nUser-agent: *\nDisallow: /*z\n"
)
URLS = ["/x", "https://h.example/x/y", "no url", "/ä", "/x\ny", "/q\r", "", "/x" * 50_000]
VERDICTS = [0, 1, 3, 1, 0, 1, 3, 0]


@pytest.fixture
def matcher():
    return ROBOTS.for_agent("a")


def encoded(urls):
    return [url.encode() for url in urls]


COLUMNS = {
    "a list": (URLS, bytes),
    "bytes": (encoded(URLS), bytes),
    "a generator": ((url for url in URLS), bytes),
    "a tuple": (tuple(URLS), bytes),
    "NumPy bytes": (numpy.array(encoded(URLS)), numpy.ndarray),
    "NumPy str": (numpy.array(URLS), numpy.ndarray),
    "NumPy objects": (numpy.array(URLS, dtype=object), numpy.ndarray),
    "NumPy str in rows and columns": (numpy.array(URLS).reshape(2, 4), numpy.ndarray),
    "NumPy objects in rows and columns": (numpy.array(URLS, dtype=object).reshape(4, 2), numpy.ndarray),
    "Arrow strings": (pyarrow.array(URLS), pyarrow.UInt8Array),
    "Arrow large strings": (pyarrow.array(URLS, pyarrow.large_string()), pyarrow.UInt8Array),
    "Arrow binaries": (pyarrow.array(encoded(URLS), pyarrow.binary()), pyarrow.UInt8Array),
    "an Arrow dictionary": (pyarrow.array(URLS).dictionary_encode(), pyarrow.UInt8Array),
    "Arrow views": (pyarrow.array(URLS).cast(pyarrow.string_view()), pyarrow.UInt8Array),
    "Arrow views of binaries": (pyarrow.array(encoded(URLS)).cast(pyarrow.binary_view()), pyarrow.UInt8Array),
    "Arrow chunks": (pyarrow.chunked_array([URLS[:3], [], URLS[3:]]), pyarrow.UInt8Array),
    "an Arrow slice": (pyarrow.array(["/x", *URLS, "/x"])[1:-1], pyarrow.UInt8Array),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_match_many(matcher, kind):
    urls, returned = COLUMNS[kind]
    verdicts = matcher.match_many(urls)
    assert isinstance(verdicts, returned)
    if returned is numpy.ndarray:
        assert verdicts.shape == urls.shape
        verdicts = verdicts.ravel()
    assert (list(verdicts) if returned is bytes else verdicts.tolist()) == VERDICTS


@pytest.mark.parametrize(
    "urls", [[], numpy.array([], "S5"), pyarrow.array([], pyarrow.string()), pyarrow.chunked_array([], pyarrow.string())]
)
def test_no_urls(matcher, urls):
    assert len(matcher.match_many(urls)) == 0
    assert len(INDEX.match(urls)) == 0


@pytest.mark.parametrize("kind", [pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view(), pyarrow.binary(2)])
def test_binaries_need_not_be_utf_8(matcher, kind):
    assert matcher.match_many(pyarrow.array([b"/x", b"/\xff"], kind)).tolist() == [0, 1]
    assert INDEX.match(pyarrow.array([b"/x", b"/\xff"], kind)).tolist() == [3, 3]


def test_one_url_in_an_array_without_dimensions(matcher):
    assert matcher.match_many(numpy.array("/x")).tolist() == 0
    assert INDEX.match(numpy.array("/x")).tolist() == 3


def test_nulls(matcher):
    assert matcher.match_many(pyarrow.array(["/x", None, "/b"])).tolist() == [0, 3, 1]


@pytest.mark.parametrize("count", [1, 2000, 30_000])
def test_more_than_a_chunk(matcher, count):
    urls = [f"/{'x' if i % 3 == 0 else 'b'}/{i}" for i in range(count)]
    wanted = bytes(i % 3 != 0 for i in range(count))
    assert matcher.match_many(urls) == wanted
    assert matcher.match_lines("\n".join(urls).encode()) == wanted
    assert matcher.match_lines("\r\n".join([*urls, ""]).encode()) == wanted


def test_rows_about_as_long_as_a_chunk(matcher):
    sizes = [size for n in (65_536, 2 * 65_536) for size in range(n - 3, n + 3)]
    urls = [f"/{'b' * (size - 1)}" for size in sizes]
    assert matcher.match_many(urls) == bytes([1] * len(urls))
    assert matcher.match_many(["/x", *urls, "/x"]) == bytes([0, *[1] * len(urls), 0])
    assert [len(matcher.match_many([url])) for url in urls] == [1] * len(urls)


def test_a_trap_is_an_error():
    """Only code that bypasses the verifier comes so far. The engine is of no more use then, the process is."""
    import subprocess
    import sys

    code = """
from robotrie import RobotsTxt
from robotrie._engine import Program
program = bytearray(RobotsTxt.parse("User-agent: *\\nDisallow: /a").for_agent("x")._program.program)
program[28:] = bytes([255]) * (len(program) - 28)
for call in (lambda: Program(bytes(program), True).is_allowed("/abc"), lambda: RobotsTxt.parse("")):
    try:
        call()
    except RuntimeError as error:
        print(error)
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    first, second = out.splitlines()
    assert first.startswith("the engine stopped: ") and second == "the engine stopped within an earlier call"


def test_the_first_input_may_have_no_bytes():
    import subprocess
    import sys

    code = """
from robotrie import RobotsTxt
matcher = RobotsTxt.parse(b"").for_agent("x")
try:
    matcher.is_allowed("")
except ValueError:
    print("no URL")
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out == "no URL\n"


def test_half_a_surrogate_pair_is_a_replacement_character(matcher):
    assert matcher.is_allowed("/\ud800") is True
    for rule in ("/\ufffd", "/\udfff"):
        robots = RobotsTxt.parse(f"User-agent: *\nDisallow: {rule}")
        assert robots.is_allowed("/\ud800", "a") is False
        assert robots.for_agent("a").match_many(["/\ud800", "/\ud83d\ude00"]) == bytes([0, 1])
    assert RobotsTxt.parse("User-agent: *\nDisallow: /\U0001f600").is_allowed("/\ud83d\ude00", "a") is False
    # A "?" in its place would begin a query.
    assert ISLAND.match(["https://h.example/\ud800a", "https://ä@h.example/\ud800a", "https://h.example/?a"]) == bytes([0, 0, 1])


def test_rules_groups_and_other_lines(matcher):
    assert matcher.match("/x") == ("disallow", "/x", 2)
    assert matcher.match("/") is None and matcher.match("/robots.txt") is None
    assert [group.agents for group in ROBOTS.groups] == [("a",), ("*",)]
    assert ROBOTS.explain("/az", "b")[:2] == (False, ("disallow", "/*z", 7))
    assert ROBOTS.sitemaps == ("https://h.example/s.xml",)
    assert ROBOTS.crawl_delay("a") is None


@pytest.mark.parametrize(
    ("agent", "url", "allowed"),
    [
        ("a", "/z", True),
        ("A/2.0 (+https://h.example)", "/z", True),
        ("Mozilla/5.0 (compatible; a/1.0; +https://h.example)", "/z", True),
        (["b", "a"], "/z", True),
        (("b", "c"), "/z", False),
        ("", "/z", False),
    ],
)
def test_agents(agent, url, allowed):
    assert ROBOTS.is_allowed(url, agent) is allowed
    assert ROBOTS.is_allowed(url, agent) is allowed


def test_files_between_each_other():
    """The module holds one file's records at a time."""
    files = [RobotsTxt.parse(f"User-agent: *\nDisallow: /{i}\nUser-agent: b\nDisallow: /b{i}\n") for i in range(5)]
    large = RobotsTxt.parse("User-agent: *\nDisallow: /0\n" + "#\n" * 100_000)
    for i, file in enumerate(files):
        assert [file.is_allowed(f"/{n}", "a") for n in range(5)] == [n != i for n in range(5)]
        assert [file.is_allowed(f"/b{n}", "b") for n in range(5)] == [n != i for n in range(5)]
    assert large.is_allowed("/0", "a") is False


def test_sitemaps_are_urls():
    """As in the npm package: what no parser of URLs takes, nobody can fetch."""
    taken = ["https:///h/s.xml", "HTTP://h", "ftp://h/s", "https://bücher/ä", "https://h/s x", "https://u@h/", "https://h\\s"]
    left_out = ["https://h o/s", "https://[::1/s", "https://h:99999/s", "https://", "https://%/", "https:/h/", "/s", "data:,x"]
    robots = RobotsTxt.parse("".join(f"Sitemap: {url}\n" for url in taken + left_out))
    assert robots.sitemaps == tuple(taken)


def test_threads_share_everything():
    """The interpreter changes threads as often as it can."""

    def work(number):
        wrong = 0
        for i in range(1500):
            path = f"/{number}/{i % 7}"
            robots = RobotsTxt.parse(f"User-agent: *\nDisallow: {path}\n\nUser-agent: b\nDisallow: /b{path}\n")
            wrong += robots.is_allowed(path, "a") or robots.is_allowed("/b" + path, "b") or not shared.is_allowed(path, str(i))
            urls = ["/\ud800", "/x"] if number % 2 else ["/q", "/r"]
            wrong += shared.for_agent("a").match_many(urls * 20) != bytes(urls[0] == "/q" for _ in range(40))
        return wrong

    shared = RobotsTxt.parse("User-agent: *\nDisallow: /x\nDisallow: /\ufffd\n")
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            assert sum(threads.map(work, range(8))) == 0
    finally:
        sys.setswitchinterval(interval)


def test_a_finaliser_may_ask_the_same_index():
    """Making a result may collect garbage, whose finalisers run while the verdicts still lie in the engine."""
    import gc

    class Garbage:
        def __init__(self):
            self.itself = self

        def __del__(self):
            match(b"https://h.example/a\n" * 60, False)

    match = ISLAND._origins.match
    arguments = (b"https://u@h.example/\xef\xbf\xbd\n" * 3 + b"https://h.example/\xef\xbf\xbd\n" * 40, False)
    wanted = match(*arguments)
    gc.collect()
    gc.disable()
    before = gc.get_threshold()
    try:
        gc.set_threshold(1)
        garbage = [Garbage(), Garbage()]
        garbage.clear()
        gc.enable()
        assert match(*arguments) == wanted
    finally:
        gc.set_threshold(*before)
        gc.enable()


def test_many_groups():
    """Takes minutes where choosing groups takes the square of their number."""
    count = 100_000
    robots = RobotsTxt.parse("user-agent:a\nallow:/\n" * count, "google")
    allowed, rule, groups = robots.explain("/", "a")
    assert (allowed, rule, len(groups), len(robots.groups)) == (True, ("allow", "/", 2), count, count)


def test_limits():
    file = "User-agent: *\nDisallow: /a\nDisallow: /b\n"
    assert RobotsTxt.parse(file, max_bytes=30).is_allowed("/b", "x")
    assert not RobotsTxt.parse(file, max_bytes=30).is_allowed("/a", "x")
    assert RobotsTxt.parse(file, "yandex", max_bytes=30).is_allowed("/a", "x")
    with pytest.raises(ValueError, match="line 1 of a robots.txt has"):
        RobotsTxt.parse(b"x" * (2**24 + 1), max_bytes=2**30)


WRONG = {
    "no dialect": (lambda: RobotsTxt.parse("", "bing"), ValueError, "'bing' is none of the dialects"),
    "a negative size": (lambda: RobotsTxt.parse("", max_bytes=-1), ValueError, "max_bytes is -1"),
    "no file": (lambda: RobotsTxt.parse(None), TypeError, "a robots.txt is bytes or a str, not NoneType"),
    "no URL": (lambda: ROBOTS.is_allowed("x", "a"), ValueError, "'x' is neither an absolute URL nor a path"),
    "no rule for it": (lambda: ROBOTS.for_agent("a").match("x"), ValueError, "neither an absolute URL"),
    "no text": (lambda: ROBOTS.is_allowed(1, "a"), TypeError, "a URL is a str or bytes, not int"),
    "None as agent": (lambda: ROBOTS.is_allowed("/", None), TypeError, "an agent is a product token"),
    "a number as agent": (lambda: ROBOTS.crawl_delay(1), TypeError, "an agent is a product token"),
    "no agent": (lambda: ROBOTS.is_allowed("/", []), TypeError, "an agent is a product token"),
    "no list": (lambda: ROBOTS.for_agent("a").match_many("/x"), TypeError, "takes a list of URLs"),
    "no texts": (lambda: ROBOTS.for_agent("a").match_many(["/", 1]), TypeError, "not int"),
    "no lines": (lambda: ROBOTS.for_agent("a").match_lines("/x"), TypeError, "bytes-like"),
    "numbers in a column": (lambda: ROBOTS.for_agent("a").match_many(pyarrow.array([1])), TypeError, "not int64"),
    "a number as lines of an index": (lambda: INDEX.match_lines(5), TypeError, "bytes-like"),
    "a number as a matcher": (lambda: Matcher.from_bytes(50), TypeError, "bytes-like"),
    "no matcher": (lambda: Matcher.from_bytes(b"x" * 30), ValueError, 'do not begin with "RTM"'),
    "agents that are nested too deeply": (lambda: Index.from_bytes(with_agents(b"[" * 100_000)), ValueError, "are no JSON"),
    "a short matcher": (lambda: Matcher.from_bytes(b"RTM"), ValueError, "fewer than the 20"),
    "an index": (lambda: Index.from_bytes(ROBOTS.for_agent("a").to_bytes()), ValueError, 'do not begin with "RTO"'),
    "no index": (lambda: Index.load("missing.index"), FileNotFoundError, "missing.index"),
    "not a list for an index": (lambda: INDEX.match("/x"), TypeError, "takes a list"),
    "no texts for an index": (lambda: INDEX.match([1]), TypeError, "not int"),
}


@pytest.mark.parametrize("what", WRONG)
def test_errors(what):
    call, error, text = WRONG[what]
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("dialect", ["rfc9309", "google", "yandex"])
def test_stored_matchers_are_those_of_the_npm_package(dialect):
    data = stored(f"matcher-{dialect}.v1")
    matcher = Matcher.from_bytes(data)
    assert matcher.dialect == dialect
    assert matcher.to_bytes() == data
    assert pickle.loads(pickle.dumps(matcher)).to_bytes() == data


def test_changed_matchers_are_refused_or_harmless():
    data = bytearray(ROBOTS.for_agent("a").to_bytes())
    for at in range(len(data)):
        data[at] ^= 1
        # The dialect's number may be that of another one: a matcher's checksum does not cover it.
        if at != 6:
            with pytest.raises(ValueError, match=r"byte|checksum|dialect"):
                Matcher.from_bytes(data)
        data[at] ^= 1
    for size in range(len(data)):
        with pytest.raises(ValueError, match=r"bytes|checksum"):
            Matcher.from_bytes(data[:size])


def sealed(body):
    from robotrie._engine import checksum

    return body + checksum(body).to_bytes(4, "little")


def with_agents(json):
    return sealed(INDEX_BYTES[:8] + len(json).to_bytes(4, "little") + INDEX_BYTES[12:20] + json)


INDEX_BYTES = stored("index.v1")
INDEX = Index.from_bytes(INDEX_BYTES)
# https://h.example, with the rule Disallow: /\ufffd, by RobotsIndex.toBytes().
ISLAND = Index.from_bytes(base64.b64decode(b"UlRPAAEAAAAFAAAAAQAAAAEAAABbIngiXQAAAAAeAAAHAAAAAgnTCAA/EADOAwQDkbquwCb/7/+//70TAABoLmV4YW1wbGVvrBDl"))


def test_an_index_of_the_npm_package():
    assert INDEX.agents and INDEX.dialect in ("rfc9309", "google", "yandex")
    assert list(INDEX.match(["no url", "https://unknown.invalid/", "https://u:p@unknown.invalid/"])) == [3, 2, 2]
    assert INDEX.match_lines(b"") == b""


def test_urls_of_an_index():
    """origins and verdicts of test/stored-forms.test.ts, by Node."""
    import json
    import subprocess

    urls = [
        "https://example.com/",
        "https://EXAMPLE.com:443/private",
        "https://a@example.com/private",
        "https://x.invalid/a\nb",
        "x",
        "/a",
        "mailto:a@example.com",
        "localhost:80/p",
        "file:///p",
    ]
    code = (
        'import { RobotsIndex } from "./dist/index.js"; import { readFileSync } from "node:fs";'
        'const index = RobotsIndex.fromBytes(readFileSync("test/data/stored/index.v1"));'
        f"const origins = [...index.origins()].flatMap((o) => [o + '/', o + '/a', o + '/private/x', o.replace('://', '://u@') + '/a', o + '/a\\nb']);"
        f"const urls = [...origins, ...{json.dumps(urls)}];"
        "console.log(JSON.stringify([urls, [...index.matchMany(urls)]]));"
    )
    out = subprocess.run(["node", "--input-type=module", "-e", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    urls, wanted = json.loads(out)
    assert len(set(wanted)) > 2
    assert list(INDEX.match(urls)) == wanted
    assert INDEX.match(pyarrow.array(urls)).tolist() == wanted
    assert INDEX.match(numpy.array([url.encode() for url in urls])).tolist() == wanted
    assert INDEX.match([url.encode() for url in urls] * 700) == bytes(wanted * 700)


def test_cut_indexes_are_refused():
    for size in range(0, len(INDEX_BYTES), 7):
        with pytest.raises(ValueError, match=r"bytes|cut|checksum"):
            Index.from_bytes(INDEX_BYTES[:size])
    body = INDEX_BYTES[:-4]
    with pytest.raises(ValueError, match="not sound|after the last origin"):
        Index.from_bytes(sealed(body + b"\1"))
    with pytest.raises(ValueError, match="not sound"):
        Index.from_bytes(sealed(body[:-1]))


def test_an_empty_file_is_no_index(tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(ValueError, match="is empty"):
        Index.load(tmp_path / "empty")


def test_memory_does_not_grow():
    """Programs are freed with their matchers: two million of them would not fit."""
    import resource

    def use():
        for i in range(20_000):
            RobotsTxt.parse(f"User-agent: *\nDisallow: /{i % 10}\n" + "Disallow: /abc\n" * 20).is_allowed("/", "a")

    use()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    use()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024


def test_verdicts_have_names():
    assert [Verdict(verdict) for verdict in b"\0\3"] == [Verdict.DISALLOWED, Verdict.INVALID]


def test_a_site_that_is_later():
    # test/stored-forms.test.ts says what it holds; the last one is left to a parser of the URL standard.
    index = Index.from_bytes(stored("index-later.v1"))
    urls = ["https://b.example/", "https://c.example/", "https://C.example:443/x"]
    assert [Verdict(verdict) for verdict in index.match(urls)] == [Verdict.DISALLOWED, Verdict.LATER, Verdict.LATER]


def test_the_code_of_the_readme(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sites.index").write_bytes(INDEX_BYTES)
    shown = {}
    for code in readme_code("integrations/python/README.md"):
        exec(code, shown)
    assert capsys.readouterr().out.split("\n") == ["False", "disallow /private/ 2", "[0, 1]", ""]
