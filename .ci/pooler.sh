#!/usr/bin/env bash
# Runs a command with a PgBouncer in transaction mode in front of a new PostgreSQL, named by TEST_POOLER_URL:
#   .ci/pooler.sh node --import tsx test/crash/pooler.ts
# Debian; installs missing packages (as root).
set -euo pipefail

if [[ -z ${TEST_DATABASE_URL:-} ]]; then exec "$(dirname "$0")/services.sh" "$0" "$@"; fi

if ! command -v pgbouncer >/dev/null; then "$(dirname "$0")/debian" pgbouncer; fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/castellan-pooler.XXXXXX")
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
# As in docs/operate/databases.md, but accepts every client.
cat >"$folder/pgbouncer.ini" <<INI
[databases]
* = host=127.0.0.1 port=$(node -p 'new URL(process.env.TEST_DATABASE_URL).port') user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 200
default_pool_size = 20
idle_transaction_timeout = 10
INI

# PgBouncer refuses to run as root.
if [[ $EUID -eq 0 ]]; then
  chown -R postgres "$folder"
  runuser -u postgres -- pgbouncer -q "$folder/pgbouncer.ini" >"$folder/log" 2>&1 &
else
  pgbouncer -q "$folder/pgbouncer.ini" >"$folder/log" 2>&1 &
fi
pooler=$!
trap 'kill "$pooler" && wait "$pooler" || true; rm -rf "$folder"' EXIT

export TEST_POOLER_URL="postgres://postgres@127.0.0.1:$port/postgres"
"$@"
