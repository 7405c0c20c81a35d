#!/usr/bin/env bash
# Runs a command with a new PostgreSQL and Redis, named by TEST_DATABASE_URL and TEST_REDIS_URL:
#   .ci/services.sh npm run test:engines
# PostgreSQL accepts TLS, too. TEST_CERTIFICATES has its certificate, which is for localhost only, and its authority's.
# MAX_CONNECTIONS (200) is PostgreSQL's limit.
# Debian; installs the servers if they are missing (as root).
set -euo pipefail

postgres_bin() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; }

if [[ ! -x "$(postgres_bin)/postgres" ]] || ! command -v redis-server >/dev/null || ! command -v openssl >/dev/null; then
  "$(dirname "$0")/debian" postgresql redis-server openssl
fi

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# PostgreSQL refuses to run as root.
as_postgres() (
  cd /
  if [[ $EUID -eq 0 ]]; then exec runuser -u postgres -- "$@"; else exec "$@"; fi
)

folder=$(mktemp -d "${TMPDIR:-/tmp}/castellan-services.XXXXXX")
if [[ $EUID -eq 0 ]]; then chown postgres "$folder"; fi
bin=$(postgres_bin)
postgres_port=$(free_port)
redis_port=$(free_port)
redis_pid=

stop() {
  set +e
  if [[ -n $redis_pid ]]; then kill "$redis_pid" && wait "$redis_pid"; fi
  as_postgres "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1
  rm -rf "$folder"
}
trap stop EXIT

# make_certificate <name> <options>: a key and a certificate
make_certificate() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$1" \
    -keyout "$certificates/$1.key" -out "$certificates/$1.pem" "${@:2}" 2>/dev/null
}

certificates="$folder/certificates"
mkdir "$certificates"
make_certificate authority
make_certificate stranger
make_certificate server -addext subjectAltName=DNS:localhost -CA "$certificates/authority.pem" -CAkey "$certificates/authority.key"
if [[ $EUID -eq 0 ]]; then chown -R postgres "$certificates"; fi

as_postgres "$bin/initdb" -D "$folder/data" -U postgres -A trust --no-sync -E UTF8 --locale C.UTF-8 >/dev/null
as_postgres "$bin/pg_ctl" -D "$folder/data" -w -s -l "$folder/postgres.log" start -o \
  "-h 127.0.0.1 -p $postgres_port -k '$folder' -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c ssl=on -c ssl_cert_file='$certificates/server.pem' -c ssl_key_file='$certificates/server.key' -c max_connections=${MAX_CONNECTIONS:-200}"
redis-server --bind 127.0.0.1 --port "$redis_port" --dir "$folder" --save "" --maxmemory-policy noeviction >"$folder/redis.log" &
redis_pid=$!
until redis-cli -p "$redis_port" ping >/dev/null 2>&1; do sleep 0.1; done

export TEST_DATABASE_URL="postgres://postgres@127.0.0.1:$postgres_port/postgres"
export TEST_REDIS_URL="redis://127.0.0.1:$redis_port"
export TEST_CERTIFICATES="$certificates"
"$@"
