"""Times the package beside Protego, in turns: `python bench.py [--sites N] [--rounds N]`. Sites are the real ones where `../shared` is, else
drawn. Prints nanoseconds a URL and microseconds a file, the sum of each site's fastest round, and what the project wants of them."""

import argparse
import base64
import gzip
import json
import random
import time
from pathlib import Path

from protego import Protego

from robotrie import RobotsTxt

HERE = Path(__file__).resolve()
AGENT = "googlebot"


def real(path):
    with gzip.open(path, "rt") as file:
        for line in file:
            site = json.loads(line)
            verdicts = [verdict == "1" for verdict in site["allowed"]["googlebot"]]
            yield base64.b64decode(site["robots_b64"]), site["urls"], verdicts


def drawn(count):
    draw = random.Random(9309)
    words = ["search", "private", "cart", "user", "tag", "page", "api", "img", "static", "login"]
    for _ in range(count):
        rules = [
            f"Disallow: /{draw.choice(words)}/{draw.choice(['', '*?', draw.choice(words)])}"
            for _ in range(draw.choice([3, 9, 30]))
        ]
        urls = [f"https://h.example/{draw.choice(words)}/{draw.choice(words)}{i}.html" for i in range(90)]
        yield "\n".join(["User-agent: *", *rules]).encode(), urls, None


def timed(work):
    start = time.perf_counter_ns()
    result = work()
    return time.perf_counter_ns() - start, result


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sites", type=int, default=1225)
    options.add_argument("--rounds", type=int, default=7)
    options = options.parse_args()
    corpus = HERE.parents[3] / "shared/corpus/hosts.jsonl.gz"
    sites = list(real(corpus) if corpus.exists() else drawn(options.sites))[: options.sites]
    sites = [site for site in sites if site[1]]
    urls = sum(len(site[1]) for site in sites)
    totals = {}
    wrong = {"robotrie": 0, "Protego": 0}
    for data, texts, verdicts in sites:
        text = data.decode("utf-8", "replace")

        def parse(data=data):
            robots = RobotsTxt.parse(data, "google")
            robots.for_agent(AGENT)
            return robots

        robots, protego = parse(), Protego.parse(text)
        matcher = robots.for_agent(AGENT)
        lines = "\n".join(texts).encode()
        works = {
            "robotrie is_allowed": lambda: [robots.is_allowed(url, AGENT) for url in texts],
            "robotrie Matcher.is_allowed": lambda: [matcher.is_allowed(url) for url in texts],
            "robotrie match_many": lambda: matcher.match_many(texts),
            "robotrie match_lines": lambda: matcher.match_lines(lines),
            "Protego can_fetch": lambda: [protego.can_fetch(url, AGENT) for url in texts],
            "robotrie parse + compile": parse,
            "Protego parse": lambda: Protego.parse(text),
        }
        best = {}
        for _ in range(options.rounds):
            for name, work in works.items():
                spent, result = timed(work)
                best[name] = min(spent, best.get(name, spent))
                if verdicts and name in ("robotrie match_many", "Protego can_fetch") and len(best) == len(works):
                    judge = name.split()[0]
                    wrong[judge] += sum(bool(a) != b for a, b in zip(result, verdicts)) / (options.rounds - 1)
        for name, spent in best.items():
            totals[name] = totals.get(name, 0) + spent
    print(f"{len(sites)} {'real' if corpus.exists() else 'drawn'} sites, {urls} URLs")
    for name, spent in totals.items():
        if "parse" in name:
            print(f"{name:30} {spent / len(sites) / 1000:9.1f} µs a file")
        else:
            print(f"{name:30} {spent / urls:9.1f} ns a URL")
    if sites[0][2]:
        print(f"wrong verdicts: robotrie {wrong['robotrie']:.0f}, Protego {wrong['Protego']:.0f}")
    for name, than, share in [
        ("robotrie is_allowed", "Protego can_fetch", 1 / 4),
        ("robotrie match_many", "Protego can_fetch", 1 / 50),
        ("robotrie parse + compile", "Protego parse", 1),
    ]:
        ratio = totals[name] / totals[than]
        print(f"{name} takes {ratio:.4f} of {than}; wanted: {share}: {'reached' if ratio <= share else 'missed'}")


if __name__ == "__main__":
    main()
