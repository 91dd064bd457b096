#!/bin/sh
# Installs Debian's PostgreSQL server where there is none: tests of the shared frontier start servers of their own from it.
set -eu
for initdb in /usr/lib/postgresql/*/bin/initdb; do
    if [ -x "$initdb" ]; then
        exit 0
    fi
done
if command -v initdb >/dev/null 2>&1; then
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "webmcp-census: no PostgreSQL server and no apt-get here: the tests of the shared frontier will be skipped" >&2
    exit 0
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
    sudo=sudo
fi
echo "webmcp-census: installing PostgreSQL's server from Debian's packages, for the tests of the shared frontier"
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends postgresql >/dev/null
