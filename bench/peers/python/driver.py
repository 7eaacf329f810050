"""Python's engines: Protego, urllib.robotparser and robotspy. Reads sites and jobs, and does what the harness asks for (../README.md)."""

import gc
import os
import platform
import struct
import sys
import time
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

AGENT = os.environ.get("PEER_AGENT", "googlebot")


def protego():
    from protego import Protego

    def compile_site(origin, robots):
        rules = Protego.parse(robots)
        return lambda url: rules.can_fetch(url, AGENT)

    return version("Protego"), compile_site


def urllib():
    from urllib.robotparser import RobotFileParser

    def compile_site(origin, robots):
        rules = RobotFileParser()
        rules.parse(robots.splitlines())
        return lambda url: rules.can_fetch(AGENT, url)

    return platform.python_version(), compile_site


def robotspy():
    import robots as package

    def compile_site(origin, robots):
        rules = package.RobotsParser.from_string(robots)
        return lambda url: rules.can_fetch(AGENT, url)

    return version("robotspy"), compile_site


class Reader:
    """Reads a file of numbers and texts."""

    def __init__(self, path):
        self.bytes = Path(path).read_bytes()
        self.at = 0

    def number(self):
        (value,) = struct.unpack_from("<i", self.bytes, self.at)
        self.at += 4
        return value

    def text(self):
        length = self.number()
        self.at += length
        return self.bytes[self.at - length : self.at].decode("utf-8", "replace")


class Driver:
    def __init__(self, compile_site, path):
        self.compile_site = compile_site
        read = Reader(path)
        self.sites = [(read.text(), read.text()) for _ in range(read.number())]
        self.judges = []
        self.by_origin = {}
        self.jobs = []

    def compile(self):
        start = time.perf_counter_ns()
        self.judges = [self.compile_site(*site) for site in self.sites]
        self.by_origin = {origin: judge for (origin, _), judge in zip(self.sites, self.judges)}
        return time.perf_counter_ns() - start

    def read_jobs(self, path):
        read = Reader(path)
        self.jobs = []
        for _ in range(read.number()):
            site, _ = read.number(), read.number()
            self.jobs.append((site, read.text().split("\n")[:-1], []))
        return len(self.jobs)

    def judge(self, first, last):
        start = time.perf_counter_ns()
        for site, urls, verdicts in self.jobs[first:last]:
            if site >= 0:
                allows = self.judges[site]
                verdicts[:] = [allows(url) for url in urls]
            else:
                verdicts[:] = [self.judge_of(url)(url) for url in urls]
        return time.perf_counter_ns() - start

    def judge_of(self, url):
        parts = urlsplit(url)
        return self.by_origin[f"{parts.scheme}://{parts.netloc}"]

    def verdicts(self):
        self.judge(0, len(self.jobs))
        return "".join("1" if verdict else "0" for _, _, verdicts in self.jobs for verdict in verdicts)

    def memory(self):
        gc.collect()
        return 1024 * next(
            int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS")
        )


def main():
    engines = {"Protego": protego, "urllib.robotparser": urllib, "robotspy": robotspy}
    name, path = sys.argv[1:]
    release, compile_site = engines[name]()
    print(release, flush=True)
    driver = Driver(compile_site, path)
    for line in sys.stdin:
        command, *rest = line.split()
        if command == "judge":
            first, last, times = map(int, rest)
            answer = " ".join(str(driver.judge(first, last)) for _ in range(times))
        elif command == "jobs":
            answer = driver.read_jobs(*rest)
        else:
            answer = getattr(driver, command)()
        print(answer, flush=True)


main()
