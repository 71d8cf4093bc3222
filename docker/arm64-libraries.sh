#!/bin/sh
# Unpacks, below FOLDER, the arm64 libraries that the engine, the protocol and the rooms are built with, so that
# their tests can be built for arm64 on another machine. Nothing is installed: apt gets lists and packages into
# FOLDER.apt, with a state of its own; this machine's list of architectures does not change.
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
msgpack=libmsgpack-c-dev # from Debian 13 on
if [ -z "$(apt_arm64 apt-cache search --names-only "^$msgpack\$")" ]; then
    msgpack=libmsgpack-dev
fi
(cd "$folder" && apt_arm64 apt-get download libssl-dev zlib1g-dev "$msgpack" libcmocka-dev libcmocka0 libcjson-dev libcjson1)

rm -rf "$1"
for package in "$folder"/*.deb; do
    dpkg-deb --extract "$package" "$1"
done
# A library that is here as an archive only has a link to a shared one that is not: the linker would look no further.
find "$1" -xtype l -delete
rm -r "$folder"
