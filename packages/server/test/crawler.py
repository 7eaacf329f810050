"""A crawler that asks a robots service about URLs on stdin, 200 at a time, and writes their verdicts in order.
crawler.py AGENT SERVICE...: after an error the next service is asked, for as long as it takes."""

import http.client
import itertools
import sys
import time
import urllib.parse
import urllib.request

agent, *services = sys.argv[1:]
urls = sys.stdin.read().split()
turn = itertools.cycle(services)
for start in range(0, len(urls), 200):
    batch = urls[start : start + 200]
    body = "".join(url + "\n" for url in batch).encode()
    while True:
        request = urllib.request.Request(
            f"{next(turn)}/match?agent={urllib.parse.quote(agent)}",
            data=body,
            headers={"Content-Type": "text/plain"},
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                verdicts = answer.read().decode().split()
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)
            continue
        if len(verdicts) == len(batch):
            break
    for verdict in verdicts:
        print(verdict)
