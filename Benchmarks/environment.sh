#!/bin/sh
# Makes the peers' virtual environment in the folder $1, where that is possible.
# Always ends well: without it `make bench` measures Paidline and the floor alone.
folder=$1
wanted=$(dirname "$0")/requirements.txt
if cmp -s "$wanted" "$folder/installed.txt"; then exit 0; fi
rm -rf "$folder"
if python3 -m venv "$folder" &&
  "$folder/bin/pip" install -q --disable-pip-version-check -r "$wanted"; then
  cp "$wanted" "$folder/installed.txt"
else
  rm -rf "$folder"
  echo "bench: no virtual environment (is python3-venv there, can PyPI be reached?): no peers" >&2
fi
