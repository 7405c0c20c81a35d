#!/usr/bin/env bash
# Runs the suite on the Node version that comes next, from the package of that name: .ci/next-node.sh 24
set -euo pipefail
version=$1
shift
home=node_modules/.cache/node-$version
[[ -x $home/node_modules/node/bin/node ]] || npm install --no-save --no-audit --no-fund --prefix "$home" "node@$version"
export PATH="$PWD/$home/node_modules/node/bin:$PATH"
node --version
node node_modules/vitest/vitest.mjs run "$@"
