#!/bin/sh
# Creates the virtual environment of the peers in folder $1, if possible.
# Always exits with 0: without it, `make bench` measures only Paidline and the floor.
folder=$1
wanted=$(dirname "$0")/requirements.txt
if cmp -s "$wanted" "$folder/installed.txt"; then exit 0; fi
rm -rf "$folder"
if python3 -m venv "$folder" &&
  "$folder/bin/pip" install -q --disable-pip-version-check -r "$wanted"; then
  cp "$wanted" "$folder/installed.txt"
else
  rm -rf "$folder"
  echo "bench: no virtual environment (is python3-venv installed, is PyPI reachable?);" \
    "the peers are skipped" >&2
fi
