#!/usr/bin/env bash
# Tests integrations/spark; arguments go to pytest. Where something is missing that cannot be installed, it says so and returns 77.
set -uo pipefail
cd "$(dirname "$0")/.."

skip() {
	echo "skipped: spark: $1"
	exit 77
}

command -v python3 >/dev/null || skip "there is no python3"
if ! command -v java >/dev/null; then
	command -v apt-get >/dev/null || skip "there is no Java and no apt-get"
	root=()
	[ "$(id -u)" = 0 ] || root=(sudo -n)
	"${root[@]}" apt-get update -qq >/dev/null &&
		"${root[@]}" env DEBIAN_FRONTEND=noninteractive \
			apt-get install -qq -y --no-install-recommends default-jre-headless >/dev/null || {
		echo "spark: apt-get cannot install Java; SKIP=spark leaves it out"
		exit 1
	}
fi
venv=build/spark-venv
python3 -m venv "$venv" || skip "python3 cannot make a virtual environment"
pip=("$venv/bin/pip" --disable-pip-version-check --quiet install)
"${pip[@]}" "pyspark>=3.5" || skip "pip cannot install PySpark"
"${pip[@]}" --editable "integrations/spark[node,test]" || exit 1
npm run --silent build || exit 1
cd integrations/spark
"../../$venv/bin/python" -m pytest -q --durations=5 "$@"
