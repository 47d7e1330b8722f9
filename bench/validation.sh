#!/bin/sh
# Holds the named machines against published measurements of the real ones: runs the workloads,
# writes docs/validation.md and docs/validation/*.svg. Interrupted, it goes on where it was.
#
#     bench/validation.sh [--only TEXT] [--out FOLDER]
#
# --only: run only measurements whose name contains TEXT; what was run before is in the page
# nevertheless. BUILD names another build folder than build.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
[ -e "$build/CMakeCache.txt" ] || cmake --preset release >/dev/null
cmake --build "$build" --target anax run_validation -j 2 >/dev/null
exec "$build/bench/run_validation" "$@" "$build"
