"""docs/spark.md: its job prints what it says."""

import json
import re

from conftest import ROOT


def test_the_job(spark, tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs/spark.md").read_text()
    code, output = re.search(r"```python\n(.*?)```.*?```text\n(.*?)```", page, re.S).groups()
    monkeypatch.chdir(tmp_path)
    exec(code.replace('"shards"', repr(str(tmp_path / "shards"))), {})
    assert capsys.readouterr().out.strip() == output.strip()


def test_figures_are_those_of_the_stored_result(monkeypatch):
    folder = ROOT / "integrations/spark"
    monkeypatch.syspath_prepend(str(folder))
    import bench

    result = json.loads(sorted((folder / "results").glob("*.json"))[-1].read_text())
    assert bench.summary(result) in (ROOT / "docs/spark.md").read_text()
