#!/bin/sh
# Completes the folder of an installation to the root of an image: adds the libraries of the programs, the files that
# they read, a user, and a list of packages (sbom.mjs). The root has no shell, no tools and no package manager.
#
#   docker/root.sh FOLDER
set -eu

if [ $# -ne 1 ]; then
    echo "usage: docker/root.sh FOLDER" >&2
    exit 2
fi
root=$1
taken=$root/usr/local/share/flockd/taken

# Prints the paths of the libraries that these programs load.
libraries_of() {
    ldd "$@" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (0x.*/\1/p' | sort -u
}

# Copies files to the same paths in the root, and follows links.
take() {
    for file in "$@"; do
        echo "$file" >>"$taken"
        install -D -m "$(stat -L -c %a "$file")" "$file" "$root$(realpath "$(dirname "$file")")/$(basename "$file")"
    done
}

# libwebsockets loads this library by name, so ldd does not list it.
loop=$(dpkg-query -L libwebsockets-evlib-uv | grep '\.so$')
# shellcheck disable=SC2046 # a list of paths without blanks
take "$loop" $(libraries_of "$root"/usr/local/bin/* "$root"/usr/local/lib/flockd/* "$loop")
for link in lib lib64; do # programs look for the loader here
    if [ -L "/$link" ]; then
        ln -s "usr/$link" "$root/$link"
    fi
done
# flock-term needs descriptions of terminals and a locale.
# shellcheck disable=SC2046
take $(dpkg-query -L ncurses-base | grep '/terminfo/./') $(find /usr/lib/locale/C.utf8 -type f)

mkdir -p "$root/etc"
echo 'flockd:x:10001:10001::/data:/nologin' >"$root/etc/passwd"
echo 'flockd:x:10001:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"

node "$(dirname "$0")/sbom.mjs" <"$taken" >"$root/usr/local/share/flockd/sbom.json"
rm "$taken"
