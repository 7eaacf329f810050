"""Random records, most of them in chains of redirects: shards that are built of all of them, and shards that are updated, say what the index says
that `robotrie index` makes of all of them. So the redirects that Spark follows by joins are those that packages/sites follows."""

import json
import os
import random

import pytest
from conftest import robotrie
from pyspark.sql import functions as F
from robotrie_spark import RobotrieError, build_shards, judge, update_shards
from robotrie_spark.recorded import Run

AGENT = "ExampleBot"
SHARDS = 16
#: Hosts that redirect to each other, and groups of them.
HOSTS = 9
GROUPS = 60
FILES = ["User-agent: *\nDisallow: /p\n", "User-agent: *\nDisallow: /q\n", ""]
DATED = "2026-03-05"


def host_of(group, number):
    return f"h{number}.g{group}.test"


def record(chance, group):
    """Most redirects lead to the next host, so that chains are as long as they may be and longer, and some lead in circles."""
    number = chance.randrange(HOSTS)
    scheme = chance.choice(["https", "https", "http"])
    record = {"origin": f"{scheme}://{host_of(group, number)}", "date": f"2026-03-0{chance.randint(1, 7)}"}
    kind = chance.random()
    if kind < 0.6:
        target = number + 1 if chance.random() < 0.8 else chance.randrange(HOSTS)
        place = chance.choice(["/robots.txt"] * 9 + ["/other.txt"])
        return {**record, "status": 301, "location": f"https://{host_of(group, target % HOSTS)}{place}"}
    if kind < 0.65:
        return {**record, "status": chance.choice([301, 404, 503])}
    return {**record, "status": 200, "robots": chance.choice(FILES)}


def write_parts(folder):
    """Many records, as many again, and some of a single group."""
    chance = random.Random(9309)
    groups = [[*range(GROUPS)] * HOSTS * 2, [*range(GROUPS)] * HOSTS, [0] * 6]
    parts = []
    for number, part in enumerate(groups):
        records = [record(chance, group) for group in part]
        # In time, or the part would have none.
        records[0]["date"] = "2026-03-01"
        path = folder / f"{number}.ndjson"
        path.write_text("".join(f"{json.dumps(one)}\n" for one in records))
        parts.append(str(path))
    return parts


URLS = [
    f"{scheme}://{host_of(group, number)}{path}"
    for group in range(GROUPS)
    for number in range(HOSTS)
    for scheme in ("https", "http")
    for path in ("/p", "/q")
]


def judged(spark, path):
    urls = spark.createDataFrame([(url,) for url in URLS], "url string")
    return {row[0]: row[1] for row in judge(urls, "url", agents=[AGENT], shards=path).collect()}


def by_command(parts, folder, as_of):
    out = str(folder / "all.index")
    robotrie("index", "--agent", AGENT, "--out", out, *(["--as-of", as_of] if as_of else []), *parts)
    lines = robotrie("match", "--index", out, stdin="".join(f"{url}\n" for url in URLS).encode()).decode().splitlines()
    return {url: verdict for verdict, url in (line.split("\t") for line in lines)}


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    return write_parts(tmp_path_factory.mktemp("parts"))


@pytest.fixture(scope="module")
def updated(spark, parts, tmp_path_factory):
    """Shards that were updated twice, and what became of the records."""
    path = str(tmp_path_factory.mktemp("updated") / "shards")
    build_shards(parts[0], path, agents=[AGENT], shards=SHARDS, updatable=True)
    return path, [update_shards(part, path) for part in parts[1:]]


@pytest.fixture(scope="module")
def wanted(parts, tmp_path_factory):
    found = by_command(parts, tmp_path_factory.mktemp("wanted"), None)
    assert set(found.values()) == {"allowed", "disallowed", "later", "unknown"}
    return found


@pytest.mark.skipif(os.environ.get("ROBOTRIE_ALL") != "1", reason="updates follow redirects as builds do, and a job more takes seconds")
def test_built_of_all_records(spark, parts, wanted, tmp_path):
    path = str(tmp_path / "shards")
    build_shards(parts, path, agents=[AGENT], shards=SHARDS)
    assert judged(spark, path) == wanted


def test_updated(spark, updated, wanted):
    path, (first, second) = updated
    assert judged(spark, path) == wanted
    assert first.shards == SHARDS
    # Those of a single group.
    assert 0 < second.shards < SHARDS
    written = spark.read.parquet(path).where(F.col("shard").isNotNull() & (F.col("update") == 2))
    assert written.select("shard").distinct().count() == second.shards


def test_updated_by_date(spark, parts, tmp_path):
    path = str(tmp_path / "shards")
    build_shards(parts[1], path, agents=[AGENT], shards=SHARDS, as_of=DATED, updatable=True)
    update_shards([parts[0], parts[2]], path, as_of=DATED)
    assert judged(spark, path) == by_command([parts[1], parts[0], parts[2]], tmp_path, DATED)


def copied(spark, updated, folder, rows):
    """The shards, with rows that were changed."""
    path = str(folder / "copied")
    table = spark.read.parquet(updated[0])
    rows(table).write.parquet(path)
    return path


def test_an_update_that_was_killed_is_none(spark, updated, wanted, tmp_path):
    def rows(table):
        some = table.where("shard is not null").where(F.col("update") == 0).drop("update", "run")
        return table.unionByName(Run(3, "killed").mark(some.where("shard < 4")))

    assert judged(spark, copied(spark, updated, tmp_path, rows)) == wanted


def test_an_update_that_lost_a_shard(spark, updated, tmp_path):
    def rows(table):
        lost = table.where("shard is not null").where(F.col("update") == 2).agg(F.min("shard")).first()[0]
        return table.where(~F.coalesce((F.col("update") == 2) & (F.col("shard") == lost), F.lit(False)))

    with pytest.raises(RobotrieError, match="is not whole: of 16 shards, some are missing or damaged$"):
        judged(spark, copied(spark, updated, tmp_path, rows))


def test_two_updates_at_once(spark, updated, tmp_path):
    def rows(table):
        last = table.where(F.col("update") == 2).drop("update", "run")
        return table.unionByName(Run(2, "other").mark(last))

    with pytest.raises(RobotrieError, match="was updated by two jobs at once, of which each left out what the other did; build it anew$"):
        judged(spark, copied(spark, updated, tmp_path, rows))


def test_what_cannot_be_updated(spark, shards, updated, parts):
    with pytest.raises(RobotrieError, match="cannot be updated: it was built without updatable=True$"):
        update_shards(parts[2], shards)
    with pytest.raises(RobotrieError, match="was built without as_of, so it does not say when its answers were recorded$"):
        update_shards(parts[2], updated[0], as_of=DATED)


def test_nothing_new_writes_nothing(spark, updated):
    path, _ = updated
    before = spark.read.parquet(path).inputFiles()
    empty = spark.createDataFrame([], "origin string, status int")
    assert update_shards(empty, path).shards == 0
    assert spark.read.parquet(path).inputFiles() == before
