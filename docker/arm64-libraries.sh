#!/bin/sh
# Unpacks the arm64 libraries of the engine, the protocol and the rooms below FOLDER. Their tests can then be built for
# arm64 on another machine. The script installs nothing: apt keeps its lists, packages and state in FOLDER.apt, and this
# machine's list of architectures does not change.
#
#   docker/arm64-libraries.sh FOLDER
set -eu

if [ $# -ne 1 ]; then
    echo "usage: docker/arm64-libraries.sh FOLDER" >&2
    exit 2
fi
mkdir -p "$1.apt/lists/partial" "$1.apt/cache/archives/partial"
folder=$(cd "$1.apt" && pwd)

apt_arm64() {
    command=$1
    shift
    "$command" -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root \
        -o Dir::State="$folder" -o Dir::State::lists="$folder/lists" -o Dir::State::status=/dev/null \
        -o Dir::Cache="$folder/cache" "$@"
}

apt_arm64 apt-get update
msgpack=libmsgpack-c-dev # its name since Debian 13
if [ -z "$(apt_arm64 apt-cache search --names-only "^$msgpack\$")" ]; then
    msgpack=libmsgpack-dev
fi
(cd "$folder" && apt_arm64 apt-get download libssl-dev zlib1g-dev "$msgpack" libcmocka-dev libcmocka0 libcjson-dev libcjson1 libutf8proc-dev)

rm -rf "$1"
for package in "$folder"/*.deb; do
    dpkg-deb --extract "$package" "$1"
done
# Some packages have an archive and a link to a shared library that is in another package. The linker would stop at the
# broken link, so remove it.
find "$1" -xtype l -delete
rm -r "$folder"
