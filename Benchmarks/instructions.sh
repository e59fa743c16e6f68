#!/bin/bash
# Counts with callgrind how many instructions the walker and the row encoder take for a fixed export,
# and compares them with Benchmarks/instructions.txt.
#
# Only what runs inside one function is counted, so that starting up, reading and hashing are not.
# valgrind shows every machine the same processor, and texts are hashed with a fixed seed: the numbers
# are the same wherever they are taken.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# valgrind 3.19 cannot read the debug information of newer compilers.
cp "$1" "$work/count"
strip --strip-debug "$work/count"
# One record of the sample data is larger than any record may be, and is no work for the walker.
zcat "$here"/../SampleData/receipts/*.gz | awk 'length($0) < 100000' >"$work/export.ndjson"

instructions() { # what, the function
  rm -f "$work"/state.db*
  SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --toggle-collect="$2" \
    --callgrind-out-file="$work/out" "$work/count" "$1" 1 "$work/export.ndjson" \
    "$work/state.db" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
  awk '/Collected :/ { print $4 }' "$work/log"
}

bytes="$(wc -c <"$work/export.ndjson")"
failed=0
while read -r what limit function; do
  case "$what" in '#'* | '') continue ;; esac
  counted="$(instructions "$what" "$function")"
  if [ "$counted" -eq 0 ]; then
    echo "instructions: no function is called $function; correct Benchmarks/instructions.txt." >&2
    exit 1
  fi
  thousandths=$((counted * 1000 / bytes))
  printf '%-7s %6d thousandths of an instruction a byte of export, at most %d\n' \
    "$what" "$thousandths" "$limit"
  if [ "$thousandths" -gt "$limit" ]; then
    echo "instructions: $what takes more than it may. Make it cheaper, or raise its limit in" \
      "Benchmarks/instructions.txt and say why." >&2
    failed=1
  fi
done <"$here/instructions.txt"
exit "$failed"
