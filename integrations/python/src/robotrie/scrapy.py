"""Scrapy with robotrie's rules: `RobotrieMiddleware`, a downloader middleware in place of Scrapy's own, and `RobotrieRobotParser`, a parser for
Scrapy's. A parser is only asked about files that were fetched: when to fetch them, what a 503 means and how fast to come is the middleware's."""

from __future__ import annotations

import heapq
import itertools
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider, IgnoreRequest
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import RobotParser
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.python import to_unicode
from twisted.internet.defer import Deferred

from ._robots_txt import RobotsTxt

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

_DAY = 24 * 3600
#: Seconds that an answer holds where the server does not say so, and the bounds of what it may say (RFC 9309 §2.4).
_LIFETIME, _SHORTEST, _LONGEST = _DAY, 60, 7 * _DAY
#: Seconds until a site is asked again: after its first failure, and at most; and what Retry-After may ask for.
_PAUSE, _LONGEST_PAUSE, _LONGEST_RETRY_AFTER = 60, 3600, _DAY
#: Redirects of a robots.txt that are followed (§2.3.1.2).
_HOPS = 5
#: What Scrapy's redirect middleware says when there were more of them: as without a file. Whatever else is ignored (an answer that is too large
#: when decompressed, a middleware of the user's) tells nothing about the rules.
_TOO_MANY_HOPS = "max redirections reached"
#: In the meta of a request that waits: until when.
_AT = "robotrie_at"


class RobotrieRobotParser(RobotParser):
    """What `RobotsTxtMiddleware` asks. What is not a URL is allowed: Scrapy has made a request of it."""

    def __init__(self, robotstxt_body: bytes, spider: Spider | None) -> None:
        self.spider = spider
        self.robots = RobotsTxt.parse(robotstxt_body)

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> RobotrieRobotParser:
        return cls(robotstxt_body, crawler.spider if crawler else None)

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        try:
            return self.robots.is_allowed(to_unicode(url), to_unicode(user_agent))
        except ValueError:
            return True

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        return self.robots.crawl_delay(to_unicode(user_agent))


class _Site:
    """What is known of an origin, until it expires."""

    def __init__(self) -> None:
        #: The rules that hold; None where everything is allowed.
        self.robots: RobotsTxt | None = None
        #: The robots.txt cannot be had for now: no page may be fetched, and none is to be dropped.
        self.is_later = False
        self.expires = 0.0
        self.failures = 0
        #: The last good file, and until when it may be used while asking anew fails.
        self.copy: RobotsTxt | None = None
        self.copy_expires = 0.0
        #: Who waits for the answer that is on its way; None if nothing is.
        self.waiting: list[Deferred[None]] | None = None


class RobotrieMiddleware:
    """A downloader middleware in place of Scrapy's own:

        ROBOTSTXT_OBEY = False
        DOWNLOADER_MIDDLEWARES = {"robotrie.scrapy.RobotrieMiddleware": 100}

    The crawler's name is `ROBOTSTXT_USER_AGENT`, else `USER_AGENT`. `ROBOTRIE_DIALECT` is rfc9309 if it is not set, `ROBOTRIE_PAUSE` the seconds until a
    site is asked again after its first failure (60; each further one doubles them, up to an hour). Retry-After takes precedence."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self.crawler = crawler
        self.agent: str | None = settings.get("ROBOTSTXT_USER_AGENT") or settings.get("USER_AGENT")
        self.dialect: str = settings.get("ROBOTRIE_DIALECT", "rfc9309")
        self.pause = settings.getfloat("ROBOTRIE_PAUSE", _PAUSE)
        # An unknown dialect ends the crawl before it begins.
        RobotsTxt.parse(b"", self.dialect)
        self._sites: dict[str, _Site] = {}
        self._parked: list[tuple[float, int, Request]] = []
        self._numbers = itertools.count()
        self._timer: Any = None
        #: By slot, what each of its origins asks for by Crawl-delay.
        self._delays: dict[str, dict[str, float]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotrieMiddleware:
        made = cls(crawler)
        crawler.signals.connect(made._opened, signal=signals.spider_opened)
        crawler.signals.connect(made._scheduled, signal=signals.request_scheduled)
        crawler.signals.connect(made._idle, signal=signals.spider_idle)
        crawler.signals.connect(made._downloaded, signal=signals.response_downloaded)
        return made

    async def process_request(self, request: Request, spider: Spider | None = None) -> Request | None:
        if request.meta.get("dont_obey_robotstxt") or not request.url.startswith(("http:", "https:")):
            return None
        url = urlparse_cached(request)
        origin = f"{url.scheme}://{url.netloc}"
        site = await self._known(origin)
        if site.is_later:
            # The engine schedules it anew, where `_scheduled` keeps it until its time: here it would take the place of a download.
            self._count("later")
            return request.replace(dont_filter=True, meta={**request.meta, _AT: site.expires})
        if site.robots is None:
            self._keep_pace(request, origin, 0)
            return None
        agent = self.agent or to_unicode(request.headers.get(b"User-Agent") or b"*")
        if not site.robots.is_allowed(request.url, agent):
            self._count("forbidden")
            raise IgnoreRequest("Forbidden by robots.txt")
        self._keep_pace(request, origin, site.robots.crawl_delay(agent) or 0)
        return None

    # When to ask for a robots.txt, and what the answer means.

    async def _known(self, origin: str) -> _Site:
        site = self._sites.setdefault(origin, _Site())
        if site.waiting is not None:
            answered: Deferred[None] = Deferred()
            site.waiting.append(answered)
            await maybe_deferred_to_future(answered)
        elif time.time() >= site.expires:
            site.waiting = []
            try:
                await self._ask(origin, site)
            finally:
                waiting, site.waiting = site.waiting, None
                for one in waiting:
                    one.callback(None)
        return site

    async def _ask(self, origin: str, site: _Site) -> None:
        # Scrapy's own retries would ask at once; its cache does not know how long a robots.txt holds.
        meta = {"dont_obey_robotstxt": True, "dont_retry": True, "dont_cache": True, "allow_offsite": True, "redirect_ttl": _HOPS}
        question = Request(f"{origin}/robots.txt", priority=1000, meta=meta, callback=NO_CALLBACK)
        self._count("request_count")
        try:
            assert self.crawler.engine
            answer = await self.crawler.engine.download_async(question)
        except IgnoreRequest as error:
            if str(error) == _TOO_MANY_HOPS:
                self._settle(site, None, _LIFETIME)
            else:
                # Another middleware does not let it through: what the file says is not known.
                self._count("exception_count/IgnoreRequest")
                self._fail(site, None)
        except Exception as error:
            self._count(f"exception_count/{type(error).__name__}")
            self._fail(site, None)
        else:
            self._count(f"response_status_count/{answer.status}")
            self._judge(site, answer)

    def _judge(self, site: _Site, answer: Response) -> None:
        if 200 <= answer.status <= 299:
            lifetime = min(max(_lifetime(answer), _SHORTEST), _LONGEST)
            site.copy = RobotsTxt.parse(answer.body, self.dialect)
            site.copy_expires = time.time() + lifetime
            self._settle(site, site.copy, lifetime)
        elif 400 <= answer.status <= 499 and answer.status != 429:
            site.copy = None
            self._settle(site, None, _LIFETIME)
        else:
            self._fail(site, answer)

    def _settle(self, site: _Site, robots: RobotsTxt | None, lifetime: float) -> None:
        site.robots, site.is_later, site.failures = robots, False, 0
        site.expires = time.time() + lifetime

    def _fail(self, site: _Site, answer: Response | None) -> None:
        """§2.3.1.4, and §2.4: a copy that has not expired holds."""
        now = time.time()
        site.failures += 1
        pause = min(self.pause * 2 ** min(site.failures - 1, 30), max(self.pause, _LONGEST_PAUSE))
        asked = _retry_after(answer, now)
        site.expires = min(asked, now + _LONGEST_RETRY_AFTER) if asked > now else now + pause
        # Yandex's document of 2013: what cannot be fetched restricts nothing.
        site.is_later = now >= site.copy_expires and self.dialect != "yandex"
        site.robots = site.copy if now < site.copy_expires else None

    # Requests of sites that fail for now: neither sent nor dropped.

    def _scheduled(self, request: Request) -> None:
        at = request.meta.get(_AT)
        if at is None:
            return
        if at > time.time():
            heapq.heappush(self._parked, (at, next(self._numbers), request))
            self._wake()
            # Not an error: the signal's way to keep a request out of the scheduler.
            raise IgnoreRequest("waits for its robots.txt")
        del request.meta[_AT]

    def _wake(self) -> None:
        """Sets the timer to the first request that waits."""
        if self._timer:
            self._timer.cancel()
        self._timer = None
        if self._parked:
            # Timers may be early by a millisecond.
            self._timer = call_later(max(0.0, self._parked[0][0] - time.time()) + 0.001, self._release)

    def _release(self) -> None:
        self._timer = None
        engine = self.crawler.engine
        while self._parked and self._parked[0][0] <= time.time() and engine:
            engine.crawl(heapq.heappop(self._parked)[2])
        self._wake()

    def _idle(self) -> None:
        if self._parked:
            raise DontCloseSpider

    def _opened(self) -> None:
        """Has what waits put into the scheduler before that is closed: with JOBDIR it is there after a restart."""
        slot = getattr(self.crawler.engine, "_slot", None)
        scheduler = getattr(slot, "scheduler", None)
        close = getattr(scheduler, "close", None)
        if scheduler is None or close is None:
            return

        def closing(reason: str) -> Any:
            for _, _, request in self._parked:
                request.meta.pop(_AT, None)
                scheduler.enqueue_request(request)
            self._parked.clear()
            self._wake()
            return close(reason)

        scheduler.close = closing

    # Pace: Crawl-delay becomes the delay of the host's slot.

    def _keep_pace(self, request: Request, origin: str, delay: float) -> None:
        engine = self.crawler.engine
        if engine is None:
            return
        downloader = engine.downloader
        key = downloader.get_slot_key(request)
        asked = self._delays.setdefault(key, {})
        if asked.get(origin, 0) == delay:
            return
        asked[origin] = delay
        greatest = max(asked.values())
        settings = downloader.settings.getdict("DOWNLOAD_SLOTS").get(key, {})
        own = settings.get("delay", downloader.settings.getfloat("DOWNLOAD_DELAY"))
        paced = {**settings, "delay": max(greatest, own)}
        if greatest > 0:
            # One at a time, and no shorter than what the site asks for.
            paced.update(concurrency=1, jitter=0, randomize_delay=False)
        # For slots that are made anew, and for the one that is there.
        downloader.per_slot_settings[key] = paced
        slot = downloader.slots.get(key)
        if slot is None:
            return
        slot.delay = paced["delay"]
        if greatest > 0:
            slot.concurrency = 1
            if hasattr(slot, "jitter"):
                slot.jitter = 0.0
            else:
                slot.randomize_delay = False

    def _downloaded(self, request: Request) -> None:
        """A delay counts from the end of a download to the start of the next; Scrapy counts from its start."""
        key: str = request.meta.get("download_slot") or ""
        engine = self.crawler.engine
        slot = engine.downloader.slots.get(key) if engine else None
        if slot and any(self._delays.get(key, {}).values()):
            slot.lastseen = time.monotonic()

    def _count(self, what: str) -> None:
        if self.crawler.stats:
            self.crawler.stats.inc_value(f"robotstxt/{what}")


def _text(answer: Response, name: str) -> str:
    return to_unicode(answer.headers.get(name) or b"", "latin-1").strip()


def _lifetime(answer: Response) -> float:
    """Seconds for which an answer may be used (RFC 9111 §4.2)."""
    directives: dict[str, str] = {}
    for directive in _text(answer, "Cache-Control").lower().split(","):
        name, _, value = directive.strip().partition("=")
        directives.setdefault(name, value.strip('" '))
    if "no-store" in directives or "no-cache" in directives:
        return 0
    if directives.get("max-age", "").isdigit():
        age = _text(answer, "Age")
        return int(directives["max-age"][:12]) - (int(age[:12]) if age.isdigit() else 0)
    if not _text(answer, "Expires"):
        return _LIFETIME
    expires, date = _date(_text(answer, "Expires")), _date(_text(answer, "Date"))
    return expires - (date or time.time())


def _retry_after(answer: Response | None, now: float) -> float:
    """When an answer asks to be asked again (RFC 9110 §10.2.3), 0 if it does not."""
    value = _text(answer, "Retry-After") if answer else ""
    return now + int(value[:12]) if value.isdigit() else _date(value)


def _date(value: str) -> float:
    try:
        return parsedate_to_datetime(value).timestamp()
    except (TypeError, ValueError, OverflowError):
        return 0
