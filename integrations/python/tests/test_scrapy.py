"""`RobotrieMiddleware` in Scrapy, run as a user does, against sites on loopback that fail, forbid and ask for a pace. Times are those of the servers, and
compared to one side only: how long a crawl takes says nothing."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytest.importorskip("scrapy", minversion="2.14")

LINKS = ["/", "/tea", "/coffee", "/private/prices", "/milk"]
ALLOWED = [path for path in LINKS if path != "/private/prices"]
RULES = b"User-agent: *\nDisallow: /private/\n"
#: What a robots.txt is answered with: a status and fields and a body; None resets the connection.
Answer = tuple[int, dict[str, str], bytes] | None
OK: Answer = (200, {}, RULES)
LATER: Answer = (503, {"Retry-After": "1"}, b"")


class Site:
    """Answers robots.txt by one answer after another, the last again and again; pages link to each other."""

    def __init__(self, *answers: Answer, pages: Callable[[], None] = lambda: None) -> None:
        self.answers = list(answers)
        #: Of pages: path, start and end by the server's clock.
        self.pages: list[tuple[str, float, float]] = []
        self.robots: list[float] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                start = time.monotonic()
                if self.path in ("/robots.txt", "/rules.txt"):
                    site.robots.append(start)
                    answer = site.answers.pop(0) if len(site.answers) > 1 else site.answers[0]
                    if answer is None:
                        self.close_connection = True
                        return
                    status, fields, body = answer
                else:
                    pages()
                    links = "".join(f'<a href="{path}">{path}</a>' for path in LINKS)
                    status, fields, body = 200, {"Content-Type": "text/html"}, links.encode()
                    # Before the answer: the crawler cannot know of its end earlier.
                    site.pages.append((self.path, start, time.monotonic()))
                self.send_response(status)
                for name, value in {**fields, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def fetched(self) -> list[str]:
        return sorted(path for path, _, _ in self.pages)


@contextlib.contextmanager
def sites(*given: Site) -> Iterator[None]:
    try:
        yield
    finally:
        for site in given:
            site.server.shutdown()
            site.server.server_close()


SPIDER = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess

starts, settings = json.loads(sys.argv[1])

class Refuse:
    refused = False
    def process_request(self, request):
        if request.url.endswith("/robots.txt") and not Refuse.refused:
            Refuse.refused = True
            raise scrapy.exceptions.IgnoreRequest("not this one")

class Spider(scrapy.Spider):
    name = "spider"
    custom_settings = settings
    async def start(self):
        for url in starts:
            yield scrapy.Request(url, errback=self.failed)
    def parse(self, response):
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link, errback=self.failed)
    def failed(self, failure):
        print(type(failure.value).__name__, failure.request.url)

process = CrawlerProcess({
    "ROBOTSTXT_OBEY": False,
    "DOWNLOADER_MIDDLEWARES": {"robotrie.scrapy.RobotrieMiddleware": 100},
    "USER_AGENT": "ExampleBot/1.0",
    "RETRY_ENABLED": False,
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
})
crawler = process.create_crawler(Spider)
process.crawl(crawler)
process.start()
print(json.dumps({name: value for name, value in crawler.stats.get_stats().items() if name.startswith("robotstxt/")}))
"""


def crawl(*crawled: Site, **settings: object) -> tuple[list[str], dict[str, int]]:
    """The errors of the crawl, and the middleware's counters."""
    starts = [site.url + "/" for site in crawled]
    done = subprocess.run([sys.executable, "-c", SPIDER, json.dumps([starts, settings])], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    *errors, stats = done.stdout.splitlines()
    return errors, json.loads(stats)


#: What a robots.txt is answered with, which pages are fetched, and how often it is asked for.
BEHAVIOURS: list[tuple[list[Answer], list[str], int]] = [
    ([OK], ALLOWED, 1),
    ([(404, {}, b"")], LINKS, 1),
    ([LATER, OK], ALLOWED, 2),
    ([(429, {}, b""), (429, {}, b""), OK], ALLOWED, 3),
    # A connection that ends without an answer.
    ([None, OK], ALLOWED, 2),
    ([(301, {"Location": "/rules.txt"}, b""), OK], ALLOWED, 2),
    # In a circle: as without a file.
    ([(301, {"Location": "/robots.txt"}, b"")], LINKS, 6),
]


def test_no_page_is_lost_and_none_is_fetched_that_is_forbidden() -> None:
    crawled = [Site(*answers) for answers, _, _ in BEHAVIOURS]
    with sites(*crawled):
        # One download at a time: a site that fails takes no place of others.
        errors, stats = crawl(*crawled, ROBOTRIE_PAUSE=0.2, CONCURRENT_REQUESTS=1)
    assert [site.fetched for site in crawled] == [sorted(fetched) for _, fetched, _ in BEHAVIOURS]
    assert [len(site.robots) for site in crawled] == [asked for _, _, asked in BEHAVIOURS]
    assert stats["robotstxt/later"] >= 4
    # Forbidden pages are errors, as in Scrapy's own; what waited is none.
    forbidden = sum(len(LINKS) - len(fetched) for _, fetched, _ in BEHAVIOURS)
    assert [error.split()[0] for error in errors] == ["IgnoreRequest"] * forbidden
    assert stats["robotstxt/forbidden"] == forbidden


def test_a_robots_txt_that_another_middleware_refuses_is_asked_for_again() -> None:
    site = Site(OK)
    middlewares = {"robotrie.scrapy.RobotrieMiddleware": 100, "__main__.Refuse": 200}
    with sites(site):
        _, stats = crawl(site, ROBOTRIE_PAUSE=0.2, DOWNLOADER_MIDDLEWARES=middlewares)
    assert site.fetched == sorted(ALLOWED)
    assert stats["robotstxt/later"] >= 1


def test_the_pace_counts_from_the_end_of_a_download() -> None:
    # The second site has the same host name, and so the same slot: the greater delay counts.
    slow = Site((200, {}, RULES + b"Crawl-delay: 0.25\n"), pages=lambda: time.sleep(0.05))
    other = Site(OK)
    with sites(slow, other):
        crawl(slow, other)
    assert slow.fetched == other.fetched == sorted(ALLOWED)
    times = sorted((start, end) for _, start, end in slow.pages)
    assert min(start - end for (_, end), (start, _) in zip(times, times[1:])) >= 0.245


def test_what_waits_is_there_after_a_restart(tmp_path: object) -> None:
    site = Site((503, {"Retry-After": "86400"}, b""))
    with sites(site):
        # It would wait for a day.
        crawl(site, JOBDIR=str(tmp_path), CLOSESPIDER_TIMEOUT=1)
        assert site.pages == []
        site.answers = [OK]
        crawl(JOBDIR=str(tmp_path))
    assert site.fetched == sorted(ALLOWED)
