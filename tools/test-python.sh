#!/usr/bin/env bash
# Tests integrations/python: builds the package in a virtual environment, runs its tests over the wheel, and the type checker.
# Where something is missing that cannot be installed, it says so and returns 77.
set -uo pipefail
cd "$(dirname "$0")/.."

skip() {
	echo "skipped: python: $1"
	exit 77
}

command -v python3 >/dev/null || skip "there is no python3"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || skip "the build needs Python 3.11"
command -v cc >/dev/null || skip "there is no C compiler"
echo '#include <Python.h>' | cc -E $(python3 -c 'import sysconfig; print("-I" + sysconfig.get_path("include"))') - >/dev/null 2>&1 ||
	skip "Python's headers are missing"
npm run --silent build || exit 1
venv=build/python-venv
python3 -m venv "$venv" || skip "python3 cannot make a virtual environment"
pip=("$venv/bin/pip" --disable-pip-version-check --quiet)
"${pip[@]}" install mypy pytest || skip "pip cannot install pytest"
rm -rf build/python-wheel
"${pip[@]}" wheel --no-deps --wheel-dir build/python-wheel ./integrations/python || exit 1
"${pip[@]}" install --force-reinstall --no-deps build/python-wheel/*.whl || exit 1
wheel=(build/python-wheel/*.whl)
"${pip[@]}" install "${wheel[0]}[test]" || exit 1
cd integrations/python
"../../$venv/bin/python" -m mypy --strict --ignore-missing-imports src/robotrie || exit 1
# Neither src/ nor anything but the tests is on the path: what is tested is the wheel.
"../../$venv/bin/python" -m pytest -q --durations=5
