"""A cluster of two executors on this machine, and data for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from data import ROBOTS, URLS

ROOT = Path(__file__).resolve().parents[3]
COMMAND = f"node {ROOT}/packages/cli/main.js"
AGENTS = ["ExampleBot", "OtherBot"]
#: Origins of the large job of test_kills.py; None for a small one.
KILLS = int(os.environ["ROBOTRIE_KILLS"]) if "ROBOTRIE_KILLS" in os.environ else None
#: Small jobs are over before code that was optimised with much time pays.
JAVA = "-XX:TieredStopAtLevel=1" if KILLS is None else ""

os.environ["ROBOTRIE_COMMAND"] = COMMAND
os.environ["PYSPARK_PYTHON"] = sys.executable
# The name of a machine without network may have no address.
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"


def robotrie(*args: str, stdin: bytes = b"", cwd=None) -> bytes:
    return subprocess.run([*COMMAND.split(), *args], input=stdin, cwd=cwd, stdout=subprocess.PIPE, check=True).stdout


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    from pyspark.sql import SparkSession

    os.chdir(tmp_path_factory.mktemp("spark"))
    master = "local-cluster[2,1,2048]" if KILLS is None else "local-cluster[2,1,3072]"
    session = (
        SparkSession.builder.master(os.environ.get("ROBOTRIE_SPARK_MASTER", master))
        .config("spark.ui.enabled", "false")
        .config("spark.driver.extraJavaOptions", JAVA)
        .config("spark.executor.extraJavaOptions", JAVA)
        .config("spark.executorEnv.ROBOTRIE_COMMAND", COMMAND)
        .config("spark.executor.memory", "1g" if KILLS is None else "2g")
        .config("spark.sql.shuffle.partitions", "4" if KILLS is None else "16")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "500" if KILLS is None else "10000")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def indexes(tmp_path_factory):
    """An index for each crawler, of `robotrie index`."""
    import json

    lines = "".join(
        json.dumps({"origin": origin, "robots": body.decode()} if status == 200 else {"origin": origin, "access": access}) + "\n"
        for origin, status, body, access in ROBOTS
    ).encode()
    folder = tmp_path_factory.mktemp("indexes")
    files = [str(folder / f"{agent}.index") for agent in AGENTS]
    for agent, file in zip(AGENTS, files):
        robotrie("index", "--agent", agent, "--out", file, stdin=lines)
        robotrie("index", "--agent", agent, "--shards", "3", "--out", f"{file}-shards", stdin=lines)
    return files


@pytest.fixture(scope="session")
def folders(indexes):
    """A folder of shards for each crawler, of `robotrie index --shards`."""
    return [f"{file}-shards" for file in indexes]


@pytest.fixture(scope="session")
def urls(spark):
    return spark.createDataFrame(list(enumerate(URLS)), "id int, url string").repartition(4).cache()


@pytest.fixture(scope="session")
def robots(spark):
    rows = [(origin, status, bytearray(body)) for origin, status, body, _ in ROBOTS]
    return spark.createDataFrame(rows, "origin string, status int, body binary").repartition(3).cache()


@pytest.fixture(scope="session")
def shards(spark, robots, tmp_path_factory):
    from robotrie_spark import build_shards

    path = str(tmp_path_factory.mktemp("shards") / "table")
    build_shards(robots, path, agents=AGENTS, shards=5)
    return path


def rows(table):
    """Verdicts by the number of the URL: each URL once."""
    found = [(row[0], *row[2:]) for row in table.collect()]
    assert len(found) == len({row[0] for row in found})
    return {row[0]: row[1:] for row in found}


@pytest.fixture(scope="session")
def wanted(indexes):
    """What the command line says, of URLs that are lines."""
    plain = [(i, url) for i, url in enumerate(URLS) if url is not None and "\n" not in url and "\r" not in url]
    lines = "".join(f"{url}\n" for _, url in plain).encode()
    columns = [
        [line.split("\t", 1)[0] for line in robotrie("match", "--index", file, stdin=lines).decode().split("\n")[:-1]]
        for file in indexes
    ]
    return {i: verdicts for (i, _), verdicts in zip(plain, zip(*columns))}
