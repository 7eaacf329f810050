"""Verdicts against the same jobs without them, in one run: python bench.py [--urls N] [--origins N] [--rounds N].

All jobs read the same Parquet file and pass its URLs through a Python worker. Then they write them with their verdicts to Parquet, or only
count them by verdict. Without verdicts it is the same plan with a constant column. The jobs run in turn, and the round of each that takes
the least CPU time counts: of Spark, of Python workers and of their children, which run already. Where the package `robotrie` is installed
(integrations/python), a job judges with it in the Python worker, without a child. The result is stored in bench/results, where `npm run
figures` finds it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[2]
AGENT = "ExampleBot"

#: Protego gets the URLs of one host in so many.
FEW = 50

os.environ.setdefault("ROBOTRIE_COMMAND", f"node {ROOT}/packages/cli/main.js")
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")

WORDS = "shop blog news search tag user item cart login image video archive help print feed page list".split()


def robots_txt(chance: random.Random) -> str:
    """A file of 5 to 130 lines, about 1 KB, as sites have them: other crawlers are disallowed first."""
    others = "".join(f"User-agent: {name}Bot\n" for name in chance.sample(WORDS, 4))
    count = chance.choice([2, 8, 16, 32, 64, 128])
    patterns = [
        f"/{chance.choice(WORDS)}/{chance.choice(WORDS)}{chance.choice(['/', '', '/*.pdf$', '*?sort='])}" for _ in range(count)
    ]
    rules = "".join(f"{chance.choice(['Disallow', 'Disallow', 'Allow'])}: {pattern}\n" for pattern in patterns)
    return f"{others}Disallow: /\n\nUser-agent: *\n{rules}Sitemap: https://example.com/sitemap.xml\n"


def write_data(folder: Path, origins: int, urls: int) -> None:
    chance = random.Random(9309)
    files = [robots_txt(chance) for _ in range(2000)]
    names = [f"https://www.site{number}.example" for number in range(origins)]
    bodies = [chance.choice(files).encode() for _ in names]
    table = pa.table({"origin": names, "status": pa.array([200] * origins, pa.int32()), "body": bodies})
    pq.write_table(table, folder / "robots.parquet")
    schema = pa.schema([("url", pa.string())])
    with pq.ParquetWriter(folder / "urls.parquet", schema) as writer:
        for start in range(0, urls, 250_000):
            lines = [
                f"{names[int(chance.random() ** 2 * origins)]}/{chance.choice(WORDS)}/{chance.choice(WORDS)}/{chance.choice(WORDS)}-{chance.choice(WORDS)}-{number}.html?page={number % 97}"
                for number in range(start, min(start + 250_000, urls))
            ]
            writer.write_table(pa.table({"url": lines}, schema))


def protego_job(table, robots):  # type: ignore[no-untyped-def]
    """Each worker parses a file when one of its URLs first comes."""
    files = dict(zip(*(robots.column(name).to_pylist() for name in ("origin", "body"))))
    shared = table.sparkSession.sparkContext.broadcast(files)

    def run(batches):  # type: ignore[no-untyped-def]
        from urllib.parse import urlsplit

        from protego import Protego

        parsed: dict[str, Protego] = {}
        for batch in batches:
            verdicts = []
            for url in batch.column(0).to_pylist():
                parts = urlsplit(url)
                origin = f"{parts.scheme}://{parts.netloc}"
                if origin not in parsed:
                    parsed[origin] = Protego.parse(shared.value[origin].decode())
                verdicts.append("allowed" if parsed[origin].can_fetch(url, AGENT) else "disallowed")
            yield pa.RecordBatch.from_arrays([batch.column(0), pa.array(verdicts)], names=["url", "verdict"])

    return table.mapInArrow(run, "url string, verdict string")


def plain_job(table):  # type: ignore[no-untyped-def]
    def run(batches):  # type: ignore[no-untyped-def]
        constant = pa.scalar("allowed")
        for batch in batches:
            yield pa.RecordBatch.from_arrays([batch.column(0), pa.repeat(constant, batch.num_rows)], names=["url", "verdict"])

    return table.mapInArrow(run, "url string, verdict string")


def worker_job(table, index: str):  # type: ignore[no-untyped-def]
    """Judges in the Python worker itself, by the package `robotrie`, in the cheapest way it has: all URLs of a batch as lines."""

    def run(batches):  # type: ignore[no-untyped-def]
        import robotrie
        from robotrie_spark.job import TOGETHER, together

        # Workers are kept between tasks, as children are; what belongs to this function is not.
        loaded = vars(robotrie).setdefault("loaded", {})
        if index not in loaded:
            loaded[index] = robotrie.Index.load(index)
        names = pa.array([verdict.name.lower() for verdict in robotrie.Verdict])
        for some in together(batches, TOGETHER):
            urls = pa.concat_arrays([batch.column(0) for batch in some])
            assert not pc.any(pc.match_substring_regex(urls, "[\r\n]")).as_py()
            lines = pc.binary_join(pa.ListArray.from_arrays([0, len(urls)], urls), "\n")
            verdicts = loaded[index].match_lines(lines.buffers()[2])
            found = names.take(pa.Array.from_buffers(pa.uint8(), len(urls), [None, pa.py_buffer(verdicts)]))
            yield pa.RecordBatch.from_arrays([urls, found], names=["url", "verdict"])

    return table.mapInArrow(run, "url string, verdict string")


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--urls", type=int, default=5_000_000)
    options.add_argument("--origins", type=int, default=200_000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--shards", type=int, default=8)
    options.add_argument("--note", default="", help="a sentence about the machine")
    given = options.parse_args()

    import pyspark
    from pyspark.sql import SparkSession
    from robotrie_spark import build_shards, judge, shard_of

    has_package = importlib.util.find_spec("robotrie") is not None
    with tempfile.TemporaryDirectory(prefix="robotrie-bench-") as name:
        folder = Path(name)
        write_data(folder, given.origins, given.urls)
        robots = pq.read_table(folder / "robots.parquet")
        lines = "".join(
            json.dumps({"origin": origin, "robots": body.decode()}) + "\n"
            for origin, body in zip(robots.column("origin").to_pylist(), robots.column("body").to_pylist())
        )
        index = str(folder / "sites.index")
        command = os.environ["ROBOTRIE_COMMAND"].split()
        subprocess.run([*command, "index", "--agent", AGENT, "--out", index], input=lines.encode(), check=True)
        spark = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.memory", "4g")
            .config("spark.local.dir", name)
            .getOrCreate()
        )
        spark.sparkContext.setLogLevel("ERROR")
        table = spark.read.parquet(str(folder / "urls.parquet"))
        started = cpu_seconds()
        build_shards(spark.read.parquet(str(folder / "robots.parquet")), f"{name}/shards", agents=[AGENT], shards=given.shards)
        building = cpu_seconds() - started
        # All URLs of one in fifty hosts: as many for each file as in the whole.
        shard_of(table, "url", FEW).where("shard = 0").select("url").repartition(2).write.parquet(f"{name}/few")
        few = spark.read.parquet(f"{name}/few")
        verdict = f"verdict_{AGENT}"
        jobs = {
            "plain": (plain_job(table), "verdict", given.urls),
            "index": (judge(table, "url", agents=[AGENT], index=index), verdict, given.urls),
            **({"worker": (worker_job(table, index), "verdict", given.urls)} if has_package else {}),
            "shards": (judge(table, "url", agents=[AGENT], shards=f"{name}/shards"), verdict, given.urls),
            "shuffled": (judge(table, "url", agents=[AGENT], shards=f"{name}/shards", memory=0), verdict, given.urls),
            "protego": (protego_job(few, robots), "verdict", few.count()),
        }
        # What starts the children of a job, which then stay.
        starts = {
            "index": judge(few, "url", agents=[AGENT], index=index),
            **({"worker": worker_job(few, index)} if has_package else {}),
            "shards": judge(few, "url", agents=[AGENT], shards=f"{name}/shards"),
            "shuffled": judge(few, "url", agents=[AGENT], shards=f"{name}/shards", memory=0),
        }
        ends = ("written", "counted")
        seconds: dict[str, dict[str, list[float]]] = {end: {job: [] for job in jobs} for end in ends}
        counts: dict[str, dict[str, int]] = {}
        for _ in range(given.rounds):
            for job, (judged, column, _) in jobs.items():
                if job in starts:
                    starts[job].write.format("noop").mode("overwrite").save()
                for end in ends:
                    started = cpu_seconds()
                    if end == "written":
                        judged.write.mode("overwrite").parquet(f"{name}/judged")
                    else:
                        counts[job] = {row[0]: row[1] for row in judged.groupBy(column).count().collect()}
                    seconds[end][job].append(round(cpu_seconds() - started, 2))
        spark.stop()
    assert counts["index"] == counts.get("worker", counts["index"]) == counts["shards"] == counts["shuffled"], counts
    rates = {end: {job: round(jobs[job][2] / min(times)) for job, times in seconds[end].items()} for end in ends}
    result = {
        "versions": {
            "Python": platform.python_version(),
            "PySpark": pyspark.__version__,
            "PyArrow": pa.__version__,
        },
        "note": given.note,
        "urls": given.urls,
        "origins": given.origins,
        "shards": given.shards,
        "buildCpuSeconds": round(building, 1),
        "cpuSeconds": seconds,
        "urlsPerCpuSecond": rates,
        "verdicts": counts,
    }
    text = json.dumps(result, indent="\t")
    print(text)
    subprocess.run(["node", f"{ROOT}/tools/store-json.mjs", "spark"], input=text, text=True, check=True)


def cpu_seconds() -> float:
    """CPU time of all our processes so far: Spark, Python workers and their children."""
    times: dict[int, tuple[int, int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            # The parent, and ticks: user and system, its own and those of children that ended.
            times[int(entry.name)] = (int(fields[1]), sum(map(int, fields[11:15])))
    ours = {os.getpid()}
    grown = True
    while grown:
        more = {pid for pid, (parent, _) in times.items() if parent in ours} - ours
        grown = bool(more)
        ours |= more
    return sum(times[pid][1] for pid in ours) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
