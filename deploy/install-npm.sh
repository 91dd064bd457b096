#!/bin/sh
# Installs Debian's npm where there is none: some gold pages load libraries that npm brings when the tests run.
set -eu
if ! command -v apt-get >/dev/null 2>&1; then
    echo "webmcp-census: no npm and no apt-get here: the tests on pages with npm's libraries will be skipped" >&2
    exit 0
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
    sudo=sudo
fi
echo "webmcp-census: installing npm from Debian's packages, for the libraries that some gold pages load"
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends npm >/dev/null
