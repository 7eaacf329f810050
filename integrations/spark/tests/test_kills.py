"""Processes killed in the middle of a job lose nothing."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from conftest import AGENTS, rows
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
    """Kills the first child that is not there yet, or its executor, once `is_due` says so."""

    def __init__(self, victim: str, is_due=lambda: True) -> None:
        super().__init__(daemon=True)
        self.victim = victim
        self.is_due = is_due
        self.before = {pid for pid, _ in _children()} if victim == "build" else set()
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
    with Killer(victim) as killer:
        build_shards(together, path, agents=AGENTS, shards=3)
    assert killer.killed
    assert rows(judge(urls, "url", agents=AGENTS, shards=path)) == rows(judge(urls, "url", agents=AGENTS, shards=shards))
