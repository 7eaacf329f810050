"""Processes killed in the middle of a job lose nothing.

ROBOTRIE_KILLS=1000000 gives the last test so many origins, five times as many URLs, and six kills of each job:
`ROBOTRIE_KILLS=1000000 tools/test-spark.sh -s -k large_job`.
"""

import json
import os
import signal
import tempfile
import threading
import time
from pathlib import Path

import pytest
from conftest import AGENTS, KILLS, rows
from model import AGENT, Sites
from robotrie_spark import build_shards, judge


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def _command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").replace("\0", " ")


def _ancestors(pid: int) -> list[int]:
    found = []
    while pid > 1:
        pid = _parent(pid)
        found.append(pid)
    return found


def _children() -> list[tuple[int, int]]:
    """Processes of robotrie below our own executors, each with its executor."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        pid = int(entry.name)
        try:
            if " stream --each-agent" not in _command(pid):
                continue
            ancestors = _ancestors(pid)
            if os.getpid() not in ancestors:
                continue
            executor = next(one for one in ancestors if "CoarseGrainedExecutorBackend" in _command(one))
            found.append((pid, executor))
        except (OSError, StopIteration):
            pass
    return found


class Killer(threading.Thread):
    """Kills the first child that it finds, or its executor, once `is_due` says so."""

    def __init__(self, victim: str, is_due=lambda: True) -> None:
        super().__init__(daemon=True)
        self.victim = victim
        self.is_due = is_due
        self.killed = False
        self.ended = False

    def run(self) -> None:
        while not self.ended:
            for pid, executor in _children() if self.is_due() else []:
                os.kill(executor if self.victim == "executor" else pid, signal.SIGKILL)
                self.killed = True
                return
            time.sleep(0.02)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_) -> None:
        self.ended = True
        self.join()


def _held(folder: str):
    """Passes rows on, but holds one task in its middle until its process was killed."""
    reached, going = Path(folder, "reached"), Path(folder, "going")

    def hold(batches):
        for number, batch in enumerate(batches):
            yield batch
            if number == 1 and not going.exists():
                reached.touch()
                while not going.exists():
                    time.sleep(0.02)

    return hold


@pytest.mark.parametrize("victim", ["child", "executor"])
@pytest.mark.parametrize(("rules", "memory"), [("index", None), ("shards", 0), ("shards", 2**28)])
def test_a_job(urls, indexes, shards, tmp_path, victim, rules, memory):
    chosen = {"index": indexes} if rules == "index" else {"shards": shards, "memory": memory}
    job = judge(urls, "url", agents=AGENTS, **chosen)
    whole = rows(job)
    held = job.mapInArrow(_held(str(tmp_path)), job.schema)
    killer = Killer(victim, (tmp_path / "reached").exists)

    def release() -> None:
        killer.join()
        (tmp_path / "going").touch()

    with killer:
        threading.Thread(target=release, daemon=True).start()
        assert rows(held) == whole
    assert killer.killed


@pytest.mark.parametrize("victim", ["child", "executor"])
def test_building_shards(spark, robots, shards, urls, tmp_path, victim):
    path = str(tmp_path / "table")
    # Enough that each shard takes a while.
    many = robots.crossJoin(spark.range(60)).selectExpr(
        "replace(origin, 'example', concat('example', id)) origin", "status", "body"
    )
    together = robots.unionByName(many)
    # Again if it ended before anything was killed, as when the machine stops this process.
    while True:
        with Killer(victim) as killer:
            build_shards(together, path, agents=AGENTS, shards=3, mode="overwrite")
        if killer.killed:
            break
    assert rows(judge(urls, "url", agents=AGENTS, shards=path)) == rows(judge(urls, "url", agents=AGENTS, shards=shards))


class Killers(threading.Thread):
    """Kills processes that are at work, one after the other, each `pause` seconds after the one before and after a task has ended.

    A job of which something is killed more often than a task takes would never end.
    """

    def __init__(self, context, victims, pause: float) -> None:
        super().__init__(daemon=True)
        self.tracker = context.statusTracker()
        self.victims = list(victims)
        self.pause = pause
        self.killed: list[str] = []
        self.ended = False
        self._tasks: dict[tuple[int, int], int] = {}
        self._ticks: dict[int, int] = {}

    def run(self) -> None:
        for victim in self.victims:
            start, before = time.monotonic(), self._ended_tasks()
            # Both are asked in every round: a stage may be gone in the next.
            while not self._kill(victim, time.monotonic() - start >= self.pause and self._ended_tasks() > before):
                time.sleep(0.1)
                self._ended_tasks()
                if self.ended:
                    return

    def _ended_tasks(self) -> int:
        for stage in self.tracker.getActiveStageIds():
            info = self.tracker.getStageInfo(stage)
            if info:
                key = (stage, info.currentAttemptId)
                self._tasks[key] = max(self._tasks.get(key, 0), info.numCompletedTasks)
        return sum(self._tasks.values())

    def _kill(self, victim: str, is_due: bool) -> bool:
        """Kills the child that took most CPU time since the last call, or its executor; those that took none wait for work."""
        found = {}
        for pid, executor in _children():
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            found[pid, executor] = int(fields[11]) + int(fields[12])
        busy = {each: ticks - self._ticks.get(each[0], ticks) for each, ticks in found.items()}
        self._ticks = {pid: ticks for (pid, _), ticks in found.items()}
        if not is_due or not any(busy.values()):
            return False
        pid, executor = max(busy, key=lambda each: busy[each])
        try:
            os.kill(executor if victim == "executor" else pid, signal.SIGKILL)
        except OSError:
            return False
        self.killed.append(victim)
        return True


def _killed(context, origins: int, job) -> dict[str, int]:
    """Runs a job of which children and executors are killed; how many of each. It runs again if it ended before both were."""
    victims = ("child", "executor") if KILLS is None else ("child", "executor", "child") * 2
    while True:
        # Longer than a task over so many origins, up to a million.
        killers = Killers(context, victims, min(25, origins / 40_000))
        killers.start()
        try:
            job()
        finally:
            killers.ended = True
            killers.join()
        if {"child", "executor"} <= set(killers.killed):
            return {victim: killers.killed.count(victim) for victim in ("child", "executor")}


def test_a_large_job(spark):
    """Rules of real sites, each origin with one of its own, are compiled and judge URLs; then the same under kills."""
    origins, count = (1000, 6) if KILLS is None else (KILLS, 16)
    sites = Sites()
    with tempfile.TemporaryDirectory(prefix="robotrie-kills-") as name:
        folder = Path(name)
        sites.write_robots(folder / "robots", origins)
        sites.write_urls(folder / "urls", origins, 5 * origins)
        robots, urls = (spark.read.parquet(str(folder / each)) for each in ("robots", "urls"))

        def build(shards: str) -> None:
            build_shards(robots, f"{name}/{shards}", agents=[AGENT], shards=count, mode="overwrite")

        def judge_all(shards: str, to: str) -> None:
            judged = judge(urls, "url", agents=[AGENT], shards=f"{name}/{shards}", memory=0)
            judged.write.mode("overwrite").parquet(f"{name}/{to}")

        took: dict[str, float] = {}

        def timed(what: str, job):
            start = time.monotonic()
            result = job()
            took[what] = round(time.monotonic() - start)
            print(f"{what}: {took[what]} s", flush=True)
            return result

        timed("building", lambda: build("whole"))
        timed("judging", lambda: judge_all("whole", "wanted"))
        context = spark.sparkContext
        kills = {
            "building": timed("building under kills", lambda: _killed(context, origins, lambda: build("cut"))),
            "judging": timed("judging under kills", lambda: _killed(context, origins, lambda: judge_all("cut", "found"))),
        }
        wanted, found = (spark.read.parquet(f"{name}/{each}") for each in ("wanted", "found"))
        verdicts, same = (
            {row[0]: row[1] for row in each.groupBy(f"verdict_{AGENT}").count().collect()} for each in (wanted, found)
        )
        different = [wanted.exceptAll(found).count(), found.exceptAll(wanted).count()]
    rules = "real" if sites.are_real else "made up"
    print(json.dumps({"origins": origins, "rules": rules, "verdicts": verdicts, "kills": kills, "different": different}))
    assert sum(verdicts.values()) == 5 * origins and len(verdicts) == 2
    assert same == verdicts
    assert different == [0, 0]
