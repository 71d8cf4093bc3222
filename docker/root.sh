#!/bin/sh
# Makes the folder of an installation the root of an image: adds the libraries of its programs, the files that these
# read, a user, and a list of packages (sbom.mjs). The root has no shell, no tools and no package manager.
#
#   docker/root.sh FOLDER
set -eu

if [ $# -ne 1 ]; then
    echo "usage: docker/root.sh FOLDER" >&2
    exit 2
fi
root=$1
taken=$root/usr/local/share/flockd/taken

# The libraries that these load, by the paths at which the loader finds them.
libraries_of() {
    ldd "$@" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (0x.*/\1/p' | sort -u
}

# A file at its own path, and not as a link.
take() {
    for file in "$@"; do
        echo "$file" >>"$taken"
        install -D -m "$(stat -L -c %a "$file")" "$file" "$root$(realpath "$(dirname "$file")")/$(basename "$file")"
    done
}

# libwebsockets loads its event loop by name.
loop=$(dpkg-query -L libwebsockets-evlib-uv | grep '\.so$')
# shellcheck disable=SC2046 # a list of paths without blanks
take "$loop" $(libraries_of "$root"/usr/local/bin/* "$loop")
for link in lib lib64; do # as in Debian: where programs look for the loader
    if [ -L "/$link" ]; then
        ln -s "usr/$link" "$root/$link"
    fi
done
# flock-term's descriptions of terminals and characters.
# shellcheck disable=SC2046
take $(dpkg-query -L ncurses-base | grep '/terminfo/./') $(find /usr/lib/locale/C.utf8 -type f)

mkdir -p "$root/etc"
echo 'flockd:x:10001:10001::/data:/nologin' >"$root/etc/passwd"
echo 'flockd:x:10001:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"

node "$(dirname "$0")/sbom.mjs" <"$taken" >"$root/usr/local/share/flockd/sbom.json"
rm "$taken"
