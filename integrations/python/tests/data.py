"""The repository's conformance data and stored forms."""

import base64
import json
import pathlib

ROOT = pathlib.Path(__file__).parents[3]


def rows(name):
    return [json.loads(line) for line in (ROOT / f"conformance/{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def robots_of(row):
    return row["robots"].encode() if "robots" in row else base64.b64decode(row["robots_b64"])


def stored(name):
    return (ROOT / "test/data/stored" / name).read_bytes()


def readme_code(path, language="python"):
    page = (ROOT / path).read_text(encoding="utf-8")
    return [part.split("```", 1)[0] for part in page.split(f"```{language}\n")[1:]]
