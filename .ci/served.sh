#!/usr/bin/env bash
# Runs the conformance rows against a network in a separate process, once or the given number of times; after the first
# time, the network has data.
set -euo pipefail
folder=$(mktemp -d "${TMPDIR:-/tmp}/castellan-served.XXXXXX")
export OPERATOR_TOKEN=conformance-$(node -p 'crypto.randomBytes(16).toString("hex")')
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
PORT=$port NETWORK=empty DATA_DIR=$folder LOG_LEVEL=warn node dist/src/main.js api &
server=$!
trap 'kill "$server" && wait "$server"; rm -rf "$folder"' EXIT
url=http://127.0.0.1:$port
until curl -sf "$url/healthcheck" >/dev/null; do sleep 0.2; done
for _ in $(seq "${1:-1}"); do
  if npm run -s conformance -- --base-url "$url" --fname-url "$url" --hub-url "$url" \
    --operator-token "$OPERATOR_TOKEN" >"$folder/table"; then
    tail -n 3 "$folder/table"
  else
    grep -A1 -E "FAILED|NO TEST" "$folder/table"
    exit 1
  fi
done
