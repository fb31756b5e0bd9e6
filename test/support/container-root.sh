#!/bin/sh
# Lays an image's files over this machine's own and runs a program in it as a pod would: nobody, on a root that
# cannot be written, with /tmp and /data of its own. Needs namespaces of its own for mounts and processes.
# usage: container-root.sh FOLDER BINARY CONFIG COMMANDS PROGRAM [ARGUMENT...]
set -eu
folder=$1 binary=$2 config=$3 commands=$4
shift 4
mount -t tmpfs none "$folder"
mkdir "$folder/upper" "$folder/work" "$folder/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$folder/root"
root=$folder/root
install --mode=755 "$binary" "$root/usr/local/bin/fairlead"
install --mode=444 -D "$config" "$root/etc/fairlead/objects.yaml"
mkdir -p "$root/data"
mount -t tmpfs -o mode=1777 none "$root/tmp"
chroot "$root" /bin/sh -eu -c "$commands"
mount -t tmpfs -o mode=1777 none "$root/data"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -o remount,ro "$root"
home=$(chroot "$root" /usr/bin/getent passwd 65532 | cut -d: -f6)
exec chroot --userspec=65532:65532 --groups= "$root" \
  /usr/bin/env -i HOME="$home" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
