"""docs/spark.md: its job prints what it says."""

import re

from conftest import ROOT


def test_the_job(spark, tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs/spark.md").read_text()
    code, output = re.search(r"```python\n(.*?)```.*?```text\n(.*?)```", page, re.S).groups()
    monkeypatch.chdir(tmp_path)
    exec(code.replace('"shards"', repr(str(tmp_path / "shards"))), {})
    assert capsys.readouterr().out.strip() == output.strip()
