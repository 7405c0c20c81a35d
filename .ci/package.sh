#!/usr/bin/env bash
# Tests the package as its users get it: packs it, installs it into an empty folder, checks its size, starts it there
# and sends it requests, imports the client with its types, and lints it. With the current Node, or a version:
# .ci/package.sh 24
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
max_mb=90

step() { printf '\n== %s (%s s)\n' "$1" "$SECONDS"; }
fail() { echo "package: $1" >&2 && exit 1; }
free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

folder=$(mktemp -d "${TMPDIR:-/tmp}/castellan-package.XXXXXX")
server=
stop() {
  if [[ -n $server ]]; then kill "$server" && wait "$server" || true; fi
  rm -rf "$folder"
}
trap stop EXIT

step "npm pack"
# Builds it, too.
npm pack --silent --pack-destination "$folder"
tarball=$(ls "$folder"/*.tgz)

if [[ -n ${1:-} ]]; then PATH=$(.ci/node-path.sh "$1"):$PATH; fi
node --version

step "npm install in an empty folder"
mkdir "$folder/app" && cd "$folder/app"
echo '{ "private": true, "type": "module" }' >package.json
npm install --no-audit --no-fund "$tarball" 2>&1 | tee "$folder/install.log"
if grep -q EBADENGINE "$folder/install.log"; then fail "a dependency needs another Node"; fi
package=$folder/app/node_modules/castellan
mb=$(du -sm node_modules | cut -f1)
count=$(npm ls --all --parseable | tail -n +2 | wc -l)
echo "$(du -k "$tarball" | cut -f1) kB packed, $(du -sm "$package" | cut -f1) MB unpacked; $mb MB in $count packages installed"
((mb <= max_mb)) || fail "the installation takes $mb MB, more than $max_mb"

step "files linked from README, licences and the schema of rule files"
for path in $(grep -oE '\]\([^)#:]+' "$package/README.md" | cut -c3-) dist/THIRD-PARTY.txt; do
  [[ -e $package/$path ]] || fail "README.md links to $path, which is not in the package"
done
node -e 'require("castellan/rules.schema.json").properties.rules ?? process.exit(1)'

step "the sandbox, an HTTP call, and the drawing of pictures"
port=$(free_port)
page=$(free_port)
DATA_DIR=$folder/data PORT=$port SANDBOX_PORT=$page CONSOLE_PORT=$(free_port) LOG_LEVEL=warn node_modules/.bin/castellan start &
server=$!
until curl -sf "http://127.0.0.1:$port/readycheck" >/dev/null; do
  kill -0 "$server" || fail "it did not start"
  sleep 0.2
done
curl -sf "http://127.0.0.1:$port/fc/channel-members?channelId=garden&limit=3" | grep -q '"fid"'
curl -sf "http://127.0.0.1:$page/" | grep -q '<script type="module"'
node --input-type=module -e "await import('$package/dist/src/draw-thread.js')"
kill "$server" && wait "$server"
server=

step "the client, with its types"
cat >use.ts <<'TS'
import { createClient, pages, AppError } from "castellan/client";

const url = "http://127.0.0.1:4680";
const signer = { fid: 1, privateKey: new Uint8Array(32) };
const network = createClient({ clientUrl: url, registryUrl: url, hubUrl: url, signer });
for await (const { members } of pages(network.channelMembers.list, { channelId: "garden" })) {
  const fids: number[] = members.map(({ fid }) => fid);
  // @ts-expect-error: they are numbers
  const names: string[] = members.map(({ fid }) => fid);
  console.log(fids, names, AppError);
}
TS
for module in nodenext preserve; do
  "$root/node_modules/.bin/tsc" --noEmit --strict --target es2023 --module "$module" --types node \
    --typeRoots "$root/node_modules/@types" use.ts
done
node --input-type=module -e '
  const { createClient } = await import("castellan/client");
  const url = "http://127.0.0.1:1";
  const { channelBans } = createClient({ clientUrl: url, registryUrl: url, hubUrl: url });
  if (typeof channelBans.ban !== "function") process.exit(1);'

step "npm ci --omit=dev, as on hosts that prune first"
mkdir "$folder/pruned" && cp "$root/package.json" "$root/package-lock.json" "$folder/pruned"
(cd "$folder/pruned" && npm ci --omit=dev --no-audit --no-fund)

step "publint and arethetypeswrong"
cd "$root"
npx --yes publint@0.3.25 "$tarball" --strict
npx --yes @arethetypeswrong/cli@0.18.5 "$tarball" --profile esm-only --exclude-entrypoints ./rules.schema.json ./package.json

step "done"
