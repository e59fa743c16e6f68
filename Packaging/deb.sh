#!/usr/bin/env bash
# Packs executables for Debian and Ubuntu. The same executables and the same commit give the same
# package, byte for byte.
#
# Usage: deb.sh BIN DIST
#   BIN   folder of executables, and of links to them, that `make release` writes
#   DIST  folder to which paidline_VERSION_ARCHITECTURE.deb is written
set -euo pipefail
umask 022
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
bin=$(realpath "$1")
dist=$(realpath "$2")
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}"
export LC_ALL=C TZ=UTC

# Prints the licences and notices of all packages that are linked into the executables.
licenses() {
  local toolchain file
  toolchain=$(dirname "$(dirname "$(realpath "$(command -v swift)")")")
  cd "$root/.build/checkouts"
  find "$toolchain/share/swift/LICENSE.txt" . -type f \( -name 'LICENSE*' -o -name 'NOTICE*' \) \
    -not -path '*/Tests/*' -not -path './FlyingFox/*' | sort | while read -r file; do
    printf '\n%s\n%s\n\n' "${file#"$toolchain"/share/}" "${file//?/=}"
    cat "$file"
  done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
doc=$tree/usr/share/doc/paidline
version=$("$bin/paidline" --version | cut -d ' ' -f 2)
architecture=$(dpkg --print-architecture)
day=$(date -d "@$SOURCE_DATE_EPOCH" +%F)
mapfile -t names < <(cd "$bin" && find . -name 'paidline*' -printf '%f\n' | sort)
mapfile -t programs < <(cd "$bin" && find . -name 'paidline*' -type f -printf '%f\n' | sort)

mkdir -p "$tree"/{DEBIAN,etc/paidline,usr/bin,usr/lib/systemd/system} "$doc/examples" \
  "$tree"/usr/share/{man/man1,bash-completion/completions,zsh/vendor-completions} \
  "$tree"/usr/share/{fish/vendor_completions.d,lintian/overrides}
cp -P "${names[@]/#/$bin/}" "$tree/usr/bin"
install -m 644 "$root"/Pipelines/systemd/* "$tree/usr/lib/systemd/system"

python3 "$here/manual.py" "$tree/usr/share/man/man1" "$day" "${names[@]/#/$bin/}"
for name in "${programs[@]}"; do
  "$bin/$name" --generate-completion-script bash | sed '1{/^#!/d}' \
    >"$tree/usr/share/bash-completion/completions/$name"
  "$bin/$name" --generate-completion-script zsh >"$tree/usr/share/zsh/vendor-completions/_$name"
  "$bin/$name" --generate-completion-script fish \
    >"$tree/usr/share/fish/vendor_completions.d/$name.fish"
done

# The example of a pipeline; its databases are in the folder that the service may write to.
"$bin/paidline" init "$work/example" >/dev/null
for name in pipeline.yaml catalog.yaml; do
  sed 's|\([ "]\)var/|\1/var/lib/paidline/shop/|; s|"exports/|"/srv/exports/|' \
    "$work/example/$name" >"$doc/examples/$name"
done

install -m 644 "$here/copyright" "$root/NOTICE" "$doc"
install -m 644 "$here/lintian-overrides" "$tree/usr/share/lintian/overrides/paidline"
(licenses) >"$doc/third-party-licenses"
cat >"$doc/changelog" <<END
paidline ($version) stable; urgency=medium

  * See CHANGELOG.md.gz for the changes.

 -- $(sed -n 's/^Maintainer: //p' "$here/control")  $(date -R -d "@$SOURCE_DATE_EPOCH")
END
cp "$root/CHANGELOG.md" "$doc"
gzip -9n "$doc"/{changelog,CHANGELOG.md,third-party-licenses} "$tree"/usr/share/man/man1/*.1

install -m 755 "$here/postinst" "$tree/DEBIAN/postinst"
(cd "$tree" && find usr etc -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
mkdir "$work/debian" && echo "Source: paidline" >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "${programs[@]/#/tree/usr/bin/}" 2>/dev/null)
sed -e "s|@VERSION@|$version|" -e "s|@ARCHITECTURE@|$architecture|" \
  -e "s|@DEPENDS@|${depends#shlibs:Depends=}|" \
  -e "s|@SIZE@|$(du -sk --apparent-size "$tree" | cut -f 1)|" \
  "$here/control" >"$tree/DEBIAN/control"
find "$tree" -type d -exec chmod 755 {} +
dpkg-deb --root-owner-group -Zxz --build "$tree" \
  "$dist/paidline_${version}_$architecture.deb" >/dev/null
echo "$dist/paidline_${version}_$architecture.deb"
