"""Asks a robots service (robotrie serve) by means of requests: pip install requests

    python robots_service.py ExampleBot https://example.com/ https://example.org/private
"""

import os
import sys
import time

import requests


class RobotsService:
    def __init__(self, agent, base=None, token=None):
        self.base = base or os.environ.get("ROBOTRIE", "http://127.0.0.1:8080")
        self.params = {"agent": agent}
        self.session = requests.Session()
        token = token or os.environ.get("ROBOTRIE_TOKEN")
        if token:
            self.session.headers["Authorization"] = f"Bearer {token}"

    def is_allowed(self, url):
        answer = self._ask("GET", "/allowed", params={**self.params, "url": url})
        return answer.json()["allowed"]

    def match(self, urls):
        """A verdict for each URL: allowed, disallowed, unknown, invalid or later (neither fetch nor drop the URL: ask again)."""
        body = "".join(url + "\n" for url in urls).encode()
        headers = {"Content-Type": "text/plain"}
        return self._ask("POST", "/match", data=body, headers=headers).text.split()

    def visit(self, url):
        """verdict, at, wait, reason: if the verdict is allowed, sleep for `wait` ms, download the page, and call `ended`."""
        return self._ask("POST", "/visits", params={**self.params, "url": url}).json()

    def ended(self, url, at, status=None, retry_after=None):
        """The visit given out for `at` has ended: the next pause begins."""
        answer = {"status": status, "retryAfter": retry_after}
        params = {**self.params, "url": url, "at": at, **answer}
        self._ask("PUT", "/visits", params=params)

    def _ask(self, method, path, params=None, **rest):
        params = params or self.params
        while True:
            answer = self.session.request(
                method, self.base + path, params=params, timeout=90, **rest
            )
            # Too much is in progress: the service says when to ask again.
            if answer.status_code not in (429, 503):
                answer.raise_for_status()
                return answer
            time.sleep(float(answer.headers.get("Retry-After", 1)))


if __name__ == "__main__":
    agent, *urls = sys.argv[1:]
    for url, verdict in zip(urls, RobotsService(agent).match(urls)):
        print(verdict, url, sep="\t")
