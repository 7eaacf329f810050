"""Scrapy's robots.txt parser: `ROBOTSTXT_PARSER = "robotrie.scrapy.RobotrieRobotParser"` in a project's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.robotstxt import RobotParser
from scrapy.utils.python import to_unicode

from ._robots_txt import RobotsTxt

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler


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
