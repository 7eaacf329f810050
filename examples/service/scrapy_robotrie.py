"""A Scrapy downloader middleware that asks a robots service (robotrie serve) whether and when each page may be visited, in place of Scrapy's own:

    ROBOTSTXT_OBEY = False
    DOWNLOADER_MIDDLEWARES = {"scrapy_robotrie.RobotrieMiddleware": 100}
    ROBOTRIE_URL = "http://127.0.0.1:8080"   # ROBOTRIE_TOKEN, if the service has one
    ROBOTRIE_AGENT = "ExampleBot"

Requests wait in a line for each host, outside Scrapy's engine, until the service gives them a visit. A site whose robots.txt cannot be had keeps
its requests waiting; none is dropped. With JOBDIR they are there after a restart. Needs Scrapy 2.14.
"""

import json
import logging
import time
from collections import deque
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from scrapy import signals
from scrapy.exceptions import DontCloseSpider, IgnoreRequest, NotConfigured
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThread

#: In the meta of a request: it waits for its turn; what the service has said of which URL.
WAITS, TOLD = "robotrie_waits", "robotrie_told"
#: Seconds after which a visit counts as over that Scrapy never downloads; for which a visit is waited for without asking again; and after which
#: a service is asked again that is not there.
LONGEST, PATIENCE, PAUSE = 200, 3600, 5


class RobotrieMiddleware:
    def __init__(self, crawler):
        settings = crawler.settings
        self.crawler = crawler
        self.base = settings.get("ROBOTRIE_URL", "http://127.0.0.1:8080")
        self.agent = settings.get("ROBOTRIE_AGENT")
        if not self.agent:
            raise NotConfigured("ROBOTRIE_AGENT names the crawler")
        token = settings.get("ROBOTRIE_TOKEN")
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        #: Requests that wait, by host; and of visits under way what ends them, by URL.
        self.lines, self.visits = {}, {}

    @classmethod
    def from_crawler(cls, crawler):
        made = cls(crawler)
        connect = crawler.signals.connect
        connect(made.opened, signal=signals.spider_opened)
        connect(made.scheduled, signal=signals.request_scheduled)
        connect(made.downloaded, signal=signals.response_downloaded)
        connect(made.left, signal=signals.request_left_downloader)
        connect(made.idle, signal=signals.spider_idle)
        return made

    def process_request(self, request, spider=None):
        told = request.meta.get(TOLD, {})
        if told.get("url") == request.url and time.time() < told["until"]:
            if told["verdict"] == "allowed":
                return None
            self.crawler.stats.inc_value("robotrie/disallowed")
            raise IgnoreRequest(told["reason"])
        if request.meta.get("dont_obey_robotstxt") or not request.url.startswith(("http:", "https:")):
            return None
        # The engine schedules it anew, which `scheduled` hears of. Waiting here, it would take the place of a download.
        return request.replace(dont_filter=True, meta={**request.meta, WAITS: True})

    def process_response(self, request, response, spider=None):
        # What came from a cache has not left the downloader.
        self.left(request)
        return response

    def process_exception(self, request, exception, spider=None):
        self.left(request)

    def scheduled(self, request):
        if not request.meta.pop(WAITS, False):
            return
        host = urlparse_cached(request).netloc
        if host in self.lines:
            self.lines[host].append(request)
        else:
            line = self.lines[host] = deque([request])
            deferred_from_coro(self.follow(host, line))
        # Not an error: the signal's way to keep a request out of the scheduler.
        raise IgnoreRequest("waits for its turn")

    async def follow(self, host, line):
        """Visits the pages of a host, one after another."""
        while line:
            url = line[0].url
            told = await self.ask("POST", url=url, maxWait=60_000)
            await self.sleep(min((told["wait"] or 0) / 1000, PATIENCE))
            if told["verdict"] == "later" or not line:
                continue
            request = line.popleft()
            meta = {**request.meta, TOLD: {**told, "url": url, "until": time.time() + LONGEST}}
            ended = self.visits[url] = Deferred()
            self.crawler.engine.crawl(request.replace(meta=meta))
            limit = call_later(LONGEST, self.end, url, {})
            answer = await maybe_deferred_to_future(ended)
            limit.cancel()
            if told["verdict"] == "allowed":
                await self.ask("PUT", url=url, at=told["at"], **answer)
        del self.lines[host]

    async def sleep(self, seconds):
        done = Deferred()
        # Timers may be early by a millisecond.
        call_later(seconds + 0.001, done.callback, None)
        await maybe_deferred_to_future(done)

    def downloaded(self, request, response):
        answer = {"status": response.status}
        after = response.headers.get("Retry-After")
        if after:
            answer["retryAfter"] = after.decode("latin-1")[:100]
        self.end(request.url, answer)

    def left(self, request):
        # If it is tried again, it needs another visit.
        request.meta.pop(TOLD, None)
        self.end(request.url, {})

    def end(self, url, answer):
        ended = self.visits.pop(url, None)
        if ended:
            ended.callback(answer)

    def idle(self):
        if self.lines:
            raise DontCloseSpider

    def opened(self):
        """Has what waits put into the scheduler before that is closed: with JOBDIR it is there after a restart."""
        scheduler = self.crawler.engine._slot.scheduler
        close = scheduler.close

        def closing(reason):
            for line in self.lines.values():
                for request in line:
                    scheduler.enqueue_request(request)
                line.clear()
            return close(reason)

        scheduler.close = closing

    async def ask(self, method, **query):
        """In a thread: Scrapy's downloader would delay the questions as pages of the service's host."""
        while True:
            try:
                return await maybe_deferred_to_future(deferToThread(self.answer, method, query))
            except Exception as error:
                # Not there, or something in front of it answers: a line that ended here would keep its requests, and the crawl, for ever.
                logging.getLogger(__name__).warning("the robots service: %s", error)
                await self.sleep(PAUSE)

    def answer(self, method, query):
        url = f"{self.base}/visits?{urlencode({'agent': self.agent, **query})}"
        while True:
            try:
                with urlopen(Request(url, method=method, headers=self.headers), timeout=90) as answer:
                    return json.loads(answer.read() or b"null")
            except HTTPError as error:
                if error.code not in (429, 503):
                    problem = json.loads(error.read())
                    if problem["code"] == "invalid-url":
                        return {"verdict": "invalid", "wait": None, "reason": problem["message"]}
                    raise OSError(problem["message"]) from error
                # Too much is in progress: the service says when to ask again.
                time.sleep(float(error.headers.get("Retry-After", 1)))
