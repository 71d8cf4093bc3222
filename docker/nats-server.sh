#!/bin/sh
# Puts Debian 13's nats-server into FOLDER, for tests and `make cluster`. Debian 12's, version 2.9.10, will not do. The
# script installs nothing: apt keeps its lists and state in FOLDER.apt. It uses this machine's own source of Debian
# packages, with Debian 13 in place of Debian 12, and apt checks the signatures.
#
#   docker/nats-server.sh FOLDER
set -eu

if [ $# -ne 1 ]; then
    echo "usage: docker/nats-server.sh FOLDER" >&2
    exit 2
fi
oldest=2.10.27

is_recent() {
    "$1" --version 2>/dev/null | sed 's/.* v*//' | { read -r version && dpkg --compare-versions "$version" ge $oldest; }
}

mkdir -p "$1" "$1.apt/lists/partial" "$1.apt/cache/archives/partial" "$1.apt/sources"
folder=$(cd "$1.apt" && pwd)

# This machine's may do, such as the upstream's.
installed=$(command -v nats-server || true)
if [ -n "$installed" ] && is_recent "$installed"; then
    ln -sf "$installed" "$1/nats-server"
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
(cd "$folder" && apt_newer apt-get download nats-server)
for package in "$folder"/*.deb; do
    dpkg-deb --extract "$package" "$folder/root"
done
mv "$(find "$folder/root" -name nats-server -type f -perm -u+x)" "$1/nats-server"
rm -r "$folder"
if ! is_recent "$1/nats-server"; then
    echo "nats-server.sh: Debian's nats-server does not run here or is older than $oldest" >&2
    rm "$1/nats-server"
    exit 1
fi
