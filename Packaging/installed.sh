#!/usr/bin/env bash
# Installs the package into a separate Debian system and runs it there as the user `paidline`: from
# the command line and, if a container can be booted, as the service.
#
# Usage: installed.sh DEB BASE
#   BASE  folder of the bare Debian system; created once, then used again
set -euo pipefail
root=$(dirname "$(cd "$(dirname "$0")" && pwd)")
deb=$1
base=$2
if [ ! -e "$base/.complete" ]; then
  rm -rf "$base"
  debootstrap --variant=minbase --include=adduser,systemd bookworm "$base" >"$base.log" 2>&1 || {
    tail -3 "$base.log" >&2
    echo "skipped the installation: debootstrap cannot create a Debian system here" >&2
    exit 0
  }
  touch "$base/.complete"
fi
system=$(mktemp -d)
trap 'rm -rf --one-file-system "$system"' EXIT
cp -a "$base/." "$system"
inside() {
  unshare --mount sh -ec 'mount -t proc proc "$0/proc"; exec chroot "$0" env -i \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"' "$system" "$@"
}

cp "$deb" "$system/tmp/paidline.deb"
cp /etc/resolv.conf "$system/etc/resolv.conf"
{ chroot "$system" apt-get update -qq && DEBIAN_FRONTEND=noninteractive chroot "$system" \
  apt-get install -y -qq --no-install-recommends /tmp/paidline.deb; } >"$base.log" 2>&1 ||
  { tail -5 "$base.log" >&2; exit 1; }

# The example pipeline, with the sample exports in its input folder.
inside install -d /etc/paidline/shop
inside sh -c 'cp /usr/share/doc/paidline/examples/*.yaml /etc/paidline/shop'
inside sh -c 'head -c 32 /dev/urandom >/etc/paidline/shop/customer.key'
inside chown root:paidline /etc/paidline/shop/customer.key
inside chmod 640 /etc/paidline/shop/customer.key
echo "gates: {rejected_share: warn}" >>"$system/etc/paidline/shop/pipeline.yaml"
mkdir -p "$system/srv/exports"
cp -r "$root/SampleData/receipts" "$system/srv/exports"
chmod -R go+rX "$system/srv"

inside systemd-analyze verify --man=no paidline@shop.{service,timer} paidline-alert@x.service
inside systemd-analyze security --offline=true --threshold=10 paidline@.service | tail -1

inside install -d -o paidline -g paidline -m 2750 /var/lib/paidline/shop
inside setpriv --reuid=paidline --regid=paidline --init-groups --no-new-privs \
  paidline run /etc/paidline/shop/pipeline.yaml --table -q | tail -3
inside stat -c '%A %U:%G %n' /var/lib/paidline/shop/state.db /var/lib/paidline/shop/warehouse.db

status=0
chroot "$system" /usr/bin/paidline run 2>/dev/null >&2 || status=$?
[ $status = 74 ] || { echo "without /proc: expected paidline to exit with 74; found $status" >&2; exit 1; }

if ! command -v systemd-nspawn >/dev/null; then
  echo "skipped the service: systemd-nspawn is not installed" >&2
  exit 0
fi
# The service itself, with all its sandbox restrictions; it creates its own databases.
rm -r "$system/var/lib/paidline"
cat >"$system/usr/lib/systemd/system/trial.service" <<'END'
[Unit]
After=basic.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'systemctl start paidline@shop.service; echo $? >/trial.status'
ExecStart=/bin/sh -c 'journalctl -o cat -u paidline@shop.service >/trial.log; systemctl poweroff'
END
mkdir -p "$system/usr/lib/systemd/system/basic.target.wants"
ln -s ../trial.service "$system/usr/lib/systemd/system/basic.target.wants/"
timeout 300 systemd-nspawn -q -D "$system" --boot --register=no --keep-unit --private-network \
  systemd.unit=basic.target >"$base.log" 2>&1 </dev/null || true
if [ ! -e "$system/trial.status" ]; then
  echo "skipped the service: no container can be booted here (see $base.log)" >&2
  exit 0
fi
if [ "$(cat "$system/trial.status")" != 0 ] || [ ! -s "$system/var/lib/paidline/shop/warehouse.db" ]; then
  cat "$system/trial.log" >&2
  exit 1
fi
echo "paidline@shop.service: succeeded with all its restrictions"
