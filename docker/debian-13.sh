#!/bin/sh
# Puts a program of Debian 13 into FOLDER: nats-server for tests and `make cluster`, because Debian 12's, version 2.9.10,
# will not do, and lazygit for `make looks-terminal`, which Debian 12 lacks. The script installs nothing: apt keeps its lists
# and state in FOLDER.apt. It uses this machine's own source of Debian packages, with Debian 13 in place of Debian 12, and
# apt checks the signatures.
#
#   docker/debian-13.sh PROGRAM OLDEST FOLDER
#
# PROGRAM: the name of the package, too. OLDEST: the least version.
set -eu

if [ $# -ne 3 ]; then
    echo "usage: docker/debian-13.sh PROGRAM OLDEST FOLDER" >&2
    exit 2
fi
program=$1
oldest=$2

is_recent() {
    version=$("$1" --version 2>/dev/null | grep -oE '[0-9]+([.][0-9]+)+' | head -n 1) && dpkg --compare-versions "$version" ge "$oldest"
}

mkdir -p "$3" "$3.apt/lists/partial" "$3.apt/cache/archives/partial" "$3.apt/sources"
folder=$(cd "$3.apt" && pwd)

# This machine's may do, such as the upstream's.
installed=$(command -v "$program" || true)
if [ -n "$installed" ] && is_recent "$installed"; then
    ln -sf "$installed" "$3/$program"
    rm -r "$folder"
    exit 0
fi

# The sources of this release's main packages, without its updates, in both of apt's formats.
# shellcheck disable=SC1091 # a file of this machine
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
suite=$release
if [ "$release" = bookworm ]; then
    suite=trixie
fi
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    if [ -f "$file" ]; then
        sed -n "s/^\(deb .*\) $release \(.*main.*\)/\1 $suite \2/p" "$file" >>"$folder/sources/debian.list"
    fi
done
for file in /etc/apt/sources.list.d/*.sources; do
    if [ -f "$file" ] && grep -q "^Suites:.*\b$release\b" "$file"; then
        # Of each paragraph with this release itself: other paragraphs are its updates from other places.
        awk -v RS= -v ORS='\n\n' -v release="$release" '$0 ~ "Suites:[^\n]*[ \t]" release "([ \t\n]|$)"' "$file" |
            sed "s/^Suites:.*/Suites: $suite/" >>"$folder/sources/debian.sources"
    fi
done

apt_newer() {
    command=$1
    shift
    "$command" -qq -o APT::Sandbox::User=root -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/sources" \
        -o Dir::State="$folder" -o Dir::State::lists="$folder/lists" -o Dir::State::status=/dev/null \
        -o Dir::Cache="$folder/cache" "$@"
}

apt_newer apt-get update
(cd "$folder" && apt_newer apt-get download "$program")
for package in "$folder"/*.deb; do
    dpkg-deb --extract "$package" "$folder/root"
done
mv "$(find "$folder/root" -name "$program" -type f -perm -u+x)" "$3/$program"
rm -r "$folder"
if ! is_recent "$3/$program"; then
    echo "debian-13.sh: Debian's $program does not run here or is older than $oldest" >&2
    rm "$3/$program"
    exit 1
fi
