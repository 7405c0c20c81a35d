#!/bin/sh
# Makes a bearer token with OpenSSL 3 and calls as a user with curl.
set -eu
url=${CASTELLAN_URL:-http://127.0.0.1:4680}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# OpenSSL expects a raw Ed25519 private key wrapped in PKCS #8.
printf '302e020100300506032b657004220420%s' "$APP_KEY" | perl -ne 'print pack "H*", $_' > "$work/key"
key=0x$(openssl pkey -inform DER -in "$work/key" -pubout -outform DER | tail -c 32 | od -An -v -tx1 | tr -d ' \n')

header=$(printf '{"fid":%s,"type":"app_key","key":"%s"}' "$FID" "$key" | base64url)
payload=$(printf '{"exp":%s}' "$(($(date +%s) + 300))" | base64url)
printf '%s' "$header.$payload" > "$work/text"
signature=$(openssl pkeyutl -sign -rawin -keyform DER -inkey "$work/key" -in "$work/text" | base64url)

curl -sS -X POST "$url/fc/channel-follows" \
  -H "Authorization: Bearer $header.$payload.$signature" \
  -H 'Content-Type: application/json' \
  -d '{"channelId":"garden"}'
