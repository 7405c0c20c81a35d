#!/usr/bin/env bash
# Prints the folder of another Node version, from the package of that name: PATH=$(.ci/node-path.sh 24):$PATH
set -euo pipefail
cd "$(dirname "$0")/.."
home=$PWD/node_modules/.cache/node-$1
[[ -x $home/node_modules/node/bin/node ]] || npm install --no-save --no-audit --no-fund --prefix "$home" "node@$1" >&2
echo "$home/node_modules/node/bin"
