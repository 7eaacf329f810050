"""What a job costs, by the bytes of its rules and its URLs: python model.py [--origins N N N] [--urls N N N] [--rounds N].

Jobs over the first two numbers of origins and of URLs, in all four pairs, fit a line each: CPU seconds to start, for a URL, for a megabyte
of compiled rules that is loaded. The line says what a job over the last numbers takes. That job then runs, and both are printed side by
side. CPU time is counted as bench.py does.

Each origin has the rules of one of the corpus' sites and one of its own, so that no two have the same, and is asked for that site's paths.
Where the corpus is missing, its rules are those that bench.py makes up, which the result says. The result is stored in bench/results.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import os
import platform
import random
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from bench import AGENT, ROOT, WORDS, cpu_seconds, robots_txt

CORPUS = ROOT.parent / "shared/corpus/hosts.jsonl.gz"

#: Bytes of a shard's snapshot, and URLs in a partition, that docs/spark.md advises.
SHARD = 100_000_000
PARTITION = 10_000_000

#: Rows that are made at once.
ROWS = 500_000


class Sites:
    """Files to give to origins, and the paths that each is asked for."""

    def __init__(self) -> None:
        self.files: list[bytes] = []
        paths: list[str] = []
        counts: list[int] = []
        self.are_real = CORPUS.exists()
        for robots, own in self._real() if self.are_real else self._made_up():
            self.files.append(robots)
            paths += own
            counts.append(len(own))
        self.paths = pa.array(paths)
        self.counts = np.array(counts)
        self.firsts = np.cumsum(self.counts) - self.counts

    @staticmethod
    def _real():  # type: ignore[no-untyped-def]
        with gzip.open(CORPUS, "rt") as lines:
            for line in lines:
                site = json.loads(line)
                parts = map(urlsplit, site["urls"])
                own = [(part.path or "/") + (f"?{part.query}" if part.query else "") for part in parts]
                if own:
                    yield base64.b64decode(site["robots_b64"]), own

    @staticmethod
    def _made_up():  # type: ignore[no-untyped-def]
        chance = random.Random(9309)
        for _ in range(1000):
            yield robots_txt(chance).encode(), [f"/{chance.choice(WORDS)}/{chance.choice(WORDS)}-{n}.html" for n in range(20)]

    def write_robots(self, file: Path, origins: int) -> None:
        schema = pa.schema([("origin", pa.string()), ("status", pa.int32()), ("body", pa.binary())])
        with pq.ParquetWriter(file, schema) as writer:
            for first in range(0, origins, 50_000):
                numbers = range(first, min(first + 50_000, origins))
                # Groups for the same crawler are one (RFC 9309, 2.2.1): the rule joins those of the file.
                own = [self.files[i % len(self.files)] + f"\nUser-agent: *\nDisallow: /only-{i}/\n".encode() for i in numbers]
                names = [f"https://www.site{i}.example" for i in numbers]
                writer.write_table(pa.table([names, pa.array([200] * len(own), pa.int32()), own], schema=schema))

    def write_urls(self, file: Path, origins: int, urls: int) -> None:
        chance = np.random.default_rng(9309)
        schema = pa.schema([("url", pa.string())])
        with pq.ParquetWriter(file, schema) as writer:
            for first in range(0, urls, ROWS):
                # Some origins have many more URLs than others.
                of = (chance.random(min(ROWS, urls - first)) ** 2 * origins).astype(np.int64)
                site = of % len(self.files)
                places = self.firsts[site] + (chance.random(len(of)) * self.counts[site]).astype(np.int64)
                names = pc.binary_join_element_wise("https://www.site", pa.array(of).cast(pa.string()), ".example", "")
                writer.write_table(
                    pa.table([pc.binary_join_element_wise(names, self.paths.take(pa.array(places)), "")], schema=schema)
                )


def line(terms: Sequence[Sequence[float]], seconds: Sequence[float]) -> list[float]:
    """Factors of the terms whose sums come closest to the seconds, relative to them: a job of a second counts as much as one of a minute.

    Nothing takes less than no time: a term whose factor would be negative, which is less than the noise, is left out.
    """
    scaled = np.array(terms) / np.array(seconds)[:, None]
    factors = np.zeros(scaled.shape[1])
    kept = list(range(len(factors)))
    while kept:
        found, *_ = np.linalg.lstsq(scaled[:, kept], np.ones(len(seconds)), rcond=None)
        if (found >= 0).all():
            factors[kept] = found
            break
        kept.pop(int(np.argmin(found * scaled[:, kept].mean(axis=0))))
    return [float(one) for one in factors]


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--origins", type=int, nargs=3, default=[10_000, 100_000, 1_000_000])
    options.add_argument("--urls", type=int, nargs=3, default=[1_000_000, 10_000_000, 50_000_000])
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--note", default="", help="a sentence about the machine")
    given = options.parse_args()

    import pyspark
    from pyspark.sql import SparkSession
    from robotrie_spark import build_shards, judge

    sites = Sites()
    command = os.environ["ROBOTRIE_COMMAND"].split()
    with tempfile.TemporaryDirectory(prefix="robotrie-model-") as name:
        folder = Path(name)
        spark = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.memory", "4g")
            .config("spark.local.dir", name)
            .getOrCreate()
        )
        spark.sparkContext.setLogLevel("ERROR")

        def timed(job: Callable[[], object]) -> float:
            started = cpu_seconds()
            job()
            return cpu_seconds() - started

        def rules_of(origins: int) -> dict[str, float]:
            """Rules of so many origins, as a file and as shards."""
            robots, index, shards = folder / f"{origins}.parquet", folder / f"{origins}.index", f"{name}/{origins}.shards"
            if not robots.exists():
                sites.write_robots(robots, origins)
            # A process of its own: it compiles into one index, and its memory is given back.
            with subprocess.Popen(
                [*command, "index", "--agent", AGENT, "--out", str(index)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
            ) as process:
                assert process.stdin
                for batch in pq.ParquetFile(robots).iter_batches(2000):
                    for origin, body in zip(batch.column(0).to_pylist(), batch.column(2).to_pylist()):
                        record = {"origin": origin, "robots_b64": base64.b64encode(body).decode()}
                        process.stdin.write(json.dumps(record).encode() + b"\n")
            assert process.returncode == 0
            megabytes = index.stat().st_size / 1e6
            count = max(2, -(-index.stat().st_size // SHARD))
            table = spark.read.parquet(str(robots))
            building = timed(lambda: build_shards(table, shards, agents=[AGENT], shards=count, mode="overwrite"))
            return {"origins": origins, "megabytes": megabytes, "shards": count, "build": building}

        def job(kind: str, rules: dict[str, float], urls: int) -> Callable[[], dict[str, int]]:
            origins = rules["origins"]
            table = spark.read.parquet(f"{name}/{origins}-{urls}.urls")
            if kind == "index":
                judged = judge(table, "url", agents=[AGENT], index=f"{name}/{origins}.index")
            else:
                judged = judge(
                    table, "url", agents=[AGENT], shards=f"{name}/{origins}.shards", memory=0, salts=salts(rules, urls)
                )
            return lambda: {row[0]: row[1] for row in judged.groupBy(f"verdict_{AGENT}").count().collect()}

        def salts(rules: dict[str, float], urls: int) -> int:
            return max(1, round(urls / rules["shards"] / PARTITION))

        def measure(rules: dict[str, float], urls: int, rounds: int) -> dict[str, object]:
            place = folder / f"{rules['origins']}-{urls}.urls"
            if not place.exists():
                sites.write_urls(place, int(rules["origins"]), urls)
            best: dict[str, float] = {}
            counts: list[dict[str, int]] = []
            for _ in range(rounds):
                for kind in ("index", "shuffled"):
                    run = job(kind, rules, urls)
                    best[kind] = min(best.get(kind, float("inf")), timed(lambda run=run: counts.append(run())))
            assert all(one == counts[0] for one in counts), counts
            assert sum(counts[0].values()) == urls
            return {**rules, "urls": urls, "salts": salts(rules, urls), "cpuSeconds": best, "verdicts": counts[0]}

        def terms(kind: str, point: dict) -> list[float]:  # type: ignore[type-arg]
            copies = point["salts"] if kind == "shuffled" else 1
            return [1, point["urls"] / 1e6, point["megabytes"] * copies]

        small, large, last = given.origins
        # What only the first job of a process takes.
        rules = [rules_of(small), rules_of(small), rules_of(large)][1:]
        measure(rules[0], given.urls[0], 1)
        points = [measure(one, urls, given.rounds) for one in rules for urls in given.urls[:2]]
        fitted = {
            kind: line([terms(kind, one) for one in points], [one["cpuSeconds"][kind] for one in points])
            for kind in ("index", "shuffled")
        }
        build_terms = [[1, one["megabytes"]] for one in rules]
        fitted["build"] = line(build_terms, [one["build"] for one in rules])
        final = measure(rules_of(last), given.urls[2], 1)
        spark.stop()

    def side_by_side(kind: str, point: dict) -> dict[str, float]:  # type: ignore[type-arg]
        of = [1, point["megabytes"]] if kind == "build" else terms(kind, point)
        measured = point["build"] if kind == "build" else point["cpuSeconds"][kind]
        model = sum(factor * term for factor, term in zip(fitted[kind], of))
        return {"model": round(model, 1), "measured": round(measured, 1), "error": round(model / measured - 1, 3)}

    result = {
        "versions": {"Python": platform.python_version(), "PySpark": pyspark.__version__, "PyArrow": pa.__version__},
        "note": given.note,
        "rules": "real" if sites.are_real else "made up",
        "distinct": given.origins[2],
        "fitted": fitted,
        "points": points,
        "last": {**final, "sides": {kind: side_by_side(kind, final) for kind in ("build", "index", "shuffled")}},
    }
    text = json.dumps(result, indent="\t")
    print(text)
    subprocess.run(["node", f"{ROOT}/tools/store-json.mjs", "spark-model"], input=text, text=True, check=True)


if __name__ == "__main__":
    main()
