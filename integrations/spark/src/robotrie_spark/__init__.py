"""May this crawler fetch these URLs? robots.txt verdicts for DataFrames, by `robotrie stream`."""

from .audit import audit_logs
from .errors import RobotrieError
from .job import judge
from .recorded import Records
from .routing import salts_for, shard_of
from .shards import build_shards, update_shards

__all__ = ["Records", "RobotrieError", "audit_logs", "build_shards", "judge", "salts_for", "shard_of", "update_shards"]
