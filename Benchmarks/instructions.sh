#!/bin/bash
# Counts with callgrind the instructions that the JSON parser (walk) and the row encoder (encode)
# execute for a fixed export, and compares them with the limits in Benchmarks/instructions.txt.
#
# Usage: instructions.sh INSTRUCTION_COUNT
#
# Counts only one function and its callees, without start-up, file reading and file hashing.
# valgrind emulates the same processor everywhere, and Swift hashes with a fixed seed, so the numbers
# are the same on every machine.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# valgrind 3.19 cannot read the debug information of newer compilers.
cp "$1" "$work/count"
strip --strip-debug "$work/count"
# Omit the record of the sample data that exceeds the size limit: the parser rejects it unread.
zcat "$here"/../SampleData/receipts/*.gz | awk 'length($0) < 100000' >"$work/export.ndjson"

instructions() { # walk or encode, function, times
  rm -f "$work"/state.db*
  SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --toggle-collect="$2" \
    --callgrind-out-file="$work/out" "$work/count" "$1" "$3" "$work/export.ndjson" \
    "$work/state.db" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
  awk '/Collected :/ { print $4 }' "$work/log"
}

bytes="$(wc -c <"$work/export.ndjson")"
failed=0
while read -r what limit function; do
  case "$what" in '#'* | '') continue ;; esac
  # The first time also pays for what Swift prepares once; the second shows what each byte takes.
  first="$(instructions "$what" "$function" 1)"
  counted=$(($(instructions "$what" "$function" 2) - first))
  if [ "$counted" -eq 0 ]; then
    echo "instructions: function $function was not found; correct Benchmarks/instructions.txt." >&2
    exit 1
  fi
  thousandths=$((counted * 1000 / bytes))
  printf '%-7s %6d thousandths of an instruction per byte of export, limit %d\n' \
    "$what" "$thousandths" "$limit"
  if [ "$thousandths" -gt "$limit" ]; then
    echo "instructions: $what exceeds its limit. Reduce its cost, or raise the limit in" \
      "Benchmarks/instructions.txt and explain why." >&2
    failed=1
  fi
done <"$here/instructions.txt"
exit "$failed"
