#!/bin/sh
# Installs the Debian packages that a task needs and this machine lacks.
#
#   docker/setup.sh build            packages for `make`
#   docker/setup.sh build test       packages for `make test`
#   docker/setup.sh build test-all   packages for `make test-all`
#   docker/setup.sh build lint       packages for `make lint`
#   docker/setup.sh build fuzz       packages for `make fuzz`
#   docker/setup.sh build looks      packages for `make looks-terminal`
#
# Exits 0 if all packages are installed. Needs root or sudo only if a package is missing.
set -eu

# Marks a package as missing unless it is installed. "a|b": either suffices; the first that apt knows is installed.
package() {
    for name in $(printf '%s' "$1" | tr '|' ' '); do
        case $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) in
        installed) return ;;
        esac
    done
    missing="$missing $1"
}

# If the command does not exist, marks the packages after it as missing.
command_from() {
    if ! command -v "$1" >/dev/null 2>&1; then
        shift
        for entry in "$@"; do
            package "$entry"
        done
    fi
}

node_works() {
    command -v npm >/dev/null 2>&1 &&
        node -e 'process.exit(parseInt(process.versions.node, 10) >= 18 ? 0 : 1)' 2>/dev/null
}

need_build() {
    for name in gcc libc6-dev make pkg-config ca-certificates libuv1-dev libwebsockets-dev \
        libwebsockets-evlib-uv libssl-dev zlib1g-dev 'libmsgpack-c-dev|libmsgpack-dev' libjansson-dev libsqlite3-dev libutf8proc-dev libncurses-dev libqrencode-dev libnats-dev; do
        package "$name"
    done
    node_works || missing="$missing nodejs npm"
    command_from zopfli zopfli
}

need_test() {
    package libcmocka-dev
    package libcjson-dev
    command_from curl curl
    command_from openssl openssl
    command_from systemd-analyze systemd
    command_from tmux tmux
    command_from xterm xterm
    command_from chromium chromium
    command_from chromium-headless-shell chromium-headless-shell
    docker compose version >/dev/null 2>&1 || command_from docker-compose docker-compose
}

need_test_all() {
    need_test
    command_from firefox-esr firefox-esr
    command_from WebKitWebDriver webkit2gtk-driver
    command_from Xvfb xvfb
    if ! docker info >/dev/null 2>&1; then
        command_from dockerd docker.io
        command_from docker 'docker-cli|docker.io'
        command_from debootstrap debootstrap
        command_from iptables iptables
    fi
    case $(dpkg --print-architecture) in
    arm64) ;;
    *)
        package gcc-aarch64-linux-gnu
        package libc6-dev-arm64-cross
        package qemu-user
        ;;
    esac
}

# The programs that flock-term is looked at beside; make fetches lazygit.
need_looks() {
    need_test_all
    package fonts-unifont # letters of Japanese and Korean, and sextants
    command_from btop btop
    command_from cmatrix cmatrix
}

need_fuzz() {
    command_from clang clang
    package libclang-rt-dev
}

need_lint() {
    command_from clang clang
    command_from clang-format clang-format
    command_from clang-tidy clang-tidy
    command_from cppcheck cppcheck
    command_from shellcheck shellcheck
    command_from mandoc mandoc
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

# Prints the first package of "a|b" that apt knows.
pick() {
    for name in $(printf '%s' "$1" | tr '|' ' '); do
        if apt-cache show "$name" >/dev/null 2>&1; then
            echo "$name"
            return
        fi
    done
    echo "setup.sh: apt does not know $1; is this Debian 12 or newer?" >&2
    return 1
}

if [ $# -eq 0 ]; then
    echo "usage: docker/setup.sh build|test|test-all|lint|fuzz|looks ..." >&2
    exit 2
fi
if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "setup.sh: this is not a Debian system; install by hand what need_$1 in docker/setup.sh names" >&2
    exit 0
fi

missing=
for task in "$@"; do
    case $task in
    build | test | lint | fuzz | looks) "need_$task" ;;
    test-all) need_test_all ;;
    *)
        echo "setup.sh: unknown task '$task': expected build, test, test-all, lint, fuzz or looks" >&2
        exit 2
        ;;
    esac
done
if [ -z "$missing" ]; then
    exit 0
fi

if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
    echo "setup.sh: neither root nor sudo here; install as root, then try again:$missing" >&2
    exit 1
fi
as_root apt-get -qq update
chosen=
for entry in $missing; do
    chosen="$chosen $(pick "$entry")"
done
echo "Installing Debian packages:$chosen"
# shellcheck disable=SC2086 # a list of package names
as_root apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends $chosen >/dev/null
