#!/usr/bin/env bash
# Tests the packages as their users get them: packs them, installs each into an empty folder, checks their sizes, starts
# the program and sends it requests, imports the client with its types, and lints both. With the current Node, or a version:
# .ci/package.sh 24
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
max_mb=70
max_client_kb=300

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
npm pack --silent --pack-destination "$folder" --workspace @castellan/client
tarball=$(ls "$folder"/castellan-[0-9]*.tgz)
client=$(ls "$folder"/castellan-client-*.tgz)

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

step "the client alone: npm install in an empty folder, import, require, types"
mkdir "$folder/client" && cd "$folder/client"
echo '{ "private": true, "type": "module" }' >package.json
npm install --no-audit --no-fund "$client" 2>&1 | tee "$folder/install.log"
if grep -q EBADENGINE "$folder/install.log"; then fail "a dependency of the client needs another Node"; fi
kb=$(find node_modules/@castellan/client -type f -printf '%s\n' | awk '{ sum += $1 } END { print int((sum + 999) / 1000) }')
echo "$(du -k "$client" | cut -f1) kB packed, $kb kB unpacked; $(du -sm node_modules | cut -f1) MB installed, with:"
npm ls --all
((kb <= max_client_kb)) || fail "the client takes $kb kB, more than $max_client_kb"
cat >use.js <<'JS'
import { createClient, pages } from "@castellan/client";
const url = process.argv[2];
const { channels, channelMembers } = createClient({ clientUrl: url, registryUrl: url, hubUrl: url });
const { channel } = await channels.get({ channelId: "garden" });
let count = 0;
for await (const { members } of pages(channelMembers.list, { channelId: "garden" })) count += members.length;
if (channel.id !== "garden" || count === 0) process.exit(1);
JS
node use.js "http://127.0.0.1:$port"
kill "$server" && wait "$server"
server=
cat >use.cjs <<'JS'
const { createClient } = require("@castellan/client");
if (typeof createClient !== "function") process.exit(1);
JS
node use.cjs
cat >use.ts <<'TS'
import { AppError, createClient, pages, type Cast, type Channel, type InputOf } from "@castellan/client";

const url = "http://127.0.0.1:4680";
const signer = { fid: 1, privateKey: new Uint8Array(32) };
const network = createClient({ clientUrl: url, registryUrl: url, hubUrl: url, signer });
const ban: InputOf<"channelBans.ban"> = { channelId: "garden", banFid: 7 };
// @ts-expect-error: a fid is a number
const wrong: InputOf<"channelBans.ban"> = { channelId: "garden", banFid: "seven" };
const texts = (casts: Cast[]): string[] => casts.map(({ data }) => data.castAddBody?.text ?? "");
const { channel }: { channel: Channel } = await network.channels.get({ channelId: "garden" });
for await (const { members } of pages(network.channelMembers.list, { channelId: channel.id })) {
  const fids: number[] = members.map(({ fid }) => fid);
  // @ts-expect-error: they are numbers
  const names: string[] = members.map(({ fid }) => fid);
  console.log(fids, names, AppError, ban, wrong, texts);
}
TS
for options in "--module node16" "--module preserve --moduleResolution bundler"; do
  # shellcheck disable=SC2086
  "$root/node_modules/.bin/tsc" --noEmit --strict --target es2023 $options --types node \
    --typeRoots "$root/node_modules/@types" use.ts
done

step "npm ci --omit=dev, as on hosts that prune first"
mkdir "$folder/pruned" && cd "$root"
cp --parents package.json package-lock.json packages/client/package.json "$folder/pruned"
(cd "$folder/pruned" && npm ci --omit=dev --no-audit --no-fund)

step "publint and arethetypeswrong"
for each in "$tarball" "$client"; do npx --yes publint@0.3.25 "$each" --strict; done
# The program itself has no entry point with types.
npx --yes @arethetypeswrong/cli@0.18.5 "$client" --profile esm-only --exclude-entrypoints ./package.json

step "done"
