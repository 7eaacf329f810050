"""A Scrapy downloader middleware that asks a robots service (robotrie serve) before each request, in place of Scrapy's own:

    ROBOTSTXT_OBEY = False
    DOWNLOADER_MIDDLEWARES = {"scrapy_robotrie.RobotrieMiddleware": 100}
    ROBOTRIE_URL = "http://127.0.0.1:8080"   # ROBOTRIE_TOKEN, if the service has one
    ROBOTRIE_AGENT = "ExampleBot"
"""

import json
from urllib.parse import urlencode

from scrapy import Request
from scrapy.exceptions import IgnoreRequest, NotConfigured


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

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    async def process_request(self, request, spider=None):
        # The question itself goes through Scrapy's downloader, too.
        if request.meta.get("robotrie"):
            return
        if not request.url.startswith(("http:", "https:")):
            return
        query = urlencode({"url": request.url, "agent": self.agent})
        question = Request(
            f"{self.base}/allowed?{query}",
            headers=self.headers,
            # A busy service answers 429 or 503, which Scrapy's own retries know.
            meta={"robotrie": True, "download_timeout": 90},
            priority=1000,
            dont_filter=True,
        )
        answer = await self.crawler.engine.download_async(question)
        if answer.status != 200:
            raise IgnoreRequest(f"the robots service answered {answer.status}")
        if not json.loads(answer.text)["allowed"]:
            self.crawler.stats.inc_value("robotrie/disallowed")
            raise IgnoreRequest("disallowed by robots.txt")
