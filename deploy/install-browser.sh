#!/bin/sh
# Installs Debian's chromium-headless-shell where no browser was found; says what to do on any other system.
set -eu
if ! command -v apt-get >/dev/null 2>&1; then
    echo "webmcp-census: no browser found and no apt-get here; install Chromium or Google Chrome 150 or newer," >&2
    echo "or name one with WEBMCP_CENSUS_BROWSER=/path/to/it" >&2
    exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
    sudo=sudo
fi
echo "webmcp-census: installing chromium-headless-shell from Debian's packages"
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null
