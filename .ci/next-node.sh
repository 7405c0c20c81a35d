#!/usr/bin/env bash
# Runs the suite on the next Node version: .ci/next-node.sh 24
set -euo pipefail
PATH=$("$(dirname "$0")/node-path.sh" "$1"):$PATH
shift
node --version
node node_modules/vitest/vitest.mjs run "$@"
