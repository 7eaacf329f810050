"""A full local disk fails the job; a session of its own, with its files on a small file system."""

import os
import subprocess
import sys

import pytest
from conftest import AGENTS, COMMAND

JOB = (
    """
import sys
from pyspark.sql import SparkSession
from robotrie_spark import judge
shards, folder = sys.argv[1:]
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config("spark.local.dir", folder).getOrCreate()
spark.sparkContext.setLogLevel("OFF")
urls = spark.range(400_000).selectExpr("concat('https://big.example/', sha2(string(id), 256)) url")
try:
    print(judge(urls, "url", agents=%r, shards=shards, memory=0).count())
except Exception as error:
    print(error)
"""
    % AGENTS
)


def test_a_full_disk(shards, tmp_path):
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)], stderr=subprocess.PIPE)
    if mounted.returncode != 0:
        pytest.skip(f"no file system can be mounted: {mounted.stderr.decode().strip()}")
    try:
        env = {**os.environ, "ROBOTRIE_COMMAND": COMMAND}
        ended = subprocess.run(
            [sys.executable, "-c", JOB, shards, str(folder)],
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert "No space left on device" in ended.stdout
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
