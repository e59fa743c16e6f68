#!/usr/bin/env bash
# Checks the output of `make package`; skips checks whose tools are not installed.
#
# Usage: check.sh DIST PYTHON
#   DIST    folder of the package, its SBOM and SHA256SUMS
#   PYTHON  Python interpreter with cyclonedx-python-lib
set -Eeuo pipefail
trap 'echo "check.sh: line $LINENO failed: $BASH_COMMAND" >&2' ERR
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
dist=$(realpath "$1")
python=$2
deb=$(ls "$dist"/paidline_*.deb)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
dpkg-deb -x "$deb" "$tree"

has() {
  for tool in "$@"; do
    command -v "$tool" >/dev/null || { echo "skipped a check: $tool is not installed" >&2; return 1; }
  done
}

# Packing again in another folder, at another time and with one thread gives the same package.
check_reproducible() {
  mkdir "$work/again"
  DPKG_DEB_THREADS_MAX=1 TMPDIR=$work "$here/deb.sh" "$dist/bin" "$work/again" >/dev/null
  sha256sum "$deb" "$work"/again/*.deb
  cmp "$deb" "$work"/again/*.deb
}

check_lintian() {
  has lintian || return 0
  lintian --allow-root --fail-on error,warning "$deb"
  echo "lintian: no errors or warnings"
}

check_manual() {
  has mandoc man || return 0
  local page said
  gunzip "$tree"/usr/share/man/man1/*.gz
  said=$(cd "$tree/usr/share/man/man1" && mandoc -T lint ./*.1) || true
  for page in "$tree"/usr/share/man/man1/*.1; do
    said+=$(LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)
    grep -q '^\.Sh EXIT STATUS$' "$page" || said+="$page has no section EXIT STATUS"
  done
  for page in "$tree"/usr/bin/*; do
    [ -e "$tree/usr/share/man/man1/$(basename "$page").1" ] || said+="$page has no manual page"
  done
  [ -z "$said" ] || { echo "$said" >&2; return 1; }
  echo "manual: $(ls "$tree/usr/share/man/man1" | wc -l) pages without warnings"
}

# Each shell completes `ver` to `verify`.
check_completions() {
  has fish zsh || return 0
  local share=$tree/usr/share file
  for file in "$share"/zsh/vendor-completions/_*; do zsh -n "$file"; done
  for file in "$share"/fish/vendor_completions.d/*; do fish --no-execute "$file"; done
  for file in "$share"/bash-completion/completions/*; do bash -n "$file"; done
  fish -c "source $share/fish/vendor_completions.d/paidline.fish; complete -C 'paidline ver'" |
    grep '^verify' >/dev/null
  (
    # shellcheck disable=SC1091
    source "$share/bash-completion/completions/paidline"
    COMP_WORDS=(paidline ver) COMP_CWORD=1 COMP_LINE="paidline ver" COMP_POINT=12
    _paidline paidline ver paidline && [ "${COMPREPLY[*]}" = verify ]
  )
  echo "completions: valid in bash, zsh and fish"
}

check_sbom() {
  "$python" - "$dist"/paidline_*.cdx.json <<'END'
import json, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

text = open(sys.argv[1], encoding="utf-8").read()
fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
if fault:
    raise SystemExit(f"{sys.argv[1]}: {fault}")
print(f"SBOM: valid CycloneDX 1.6, {len(json.loads(text)['components'])} components")
END
}

# A signature by a temporary key is valid, and becomes invalid when a digit changes.
check_signature() {
  (cd "$dist" && sha256sum --check --quiet --strict SHA256SUMS)
  has minisign || return 0
  local sums=$work/SHA256SUMS
  cp "$dist/SHA256SUMS" "$sums"
  minisign -G -W -p "$work/key.pub" -s "$work/key" >/dev/null
  minisign -S -s "$work/key" -m "$sums" >/dev/null
  minisign -V -q -p "$work/key.pub" -m "$sums"
  sed -i '1{s/^0/1/;t;s/^./0/}' "$sums"
  if minisign -V -q -p "$work/key.pub" -m "$sums" 2>/dev/null; then
    echo "minisign accepts a signature of changed checksums" >&2
    return 1
  fi
  echo "SHA256SUMS: correct; a signature detects changes"
}

check_reproducible
check_lintian
check_manual
check_completions
check_sbom
check_signature
if [ "$(id -u)" != 0 ]; then
  echo "skipped the installation: only root can install the package into a separate system" >&2
elif has debootstrap; then
  "$here/installed.sh" "$deb" "$root/.build/debian"
fi
