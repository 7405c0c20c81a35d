import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { liveKeyRequestDomain, ownKeyRequestDomain } from "../../../contract/key-request.ts";
import { liveNameDomain, ownNameDomain, type NameDomain } from "../../../contract/name-claim.ts";
import { packageFolder } from "../../../package-folder.ts";
import { block, escape, page } from "./html.ts";

/** How calls are signed, with examples that are files of their own: test/end-to-end/examples.test.ts runs them. */
export async function renderAuthentication(): Promise<string> {
  const example = async (title: string, name: string) =>
    block(title, await readFile(join(packageFolder(), "docs", "examples", name), "utf8"));
  const body = `<main class="guide" id="main">
<p><a href="../reference">The reference</a></p>
<h1>Keys, tokens and signatures</h1>
<p>Reading needs nothing. Three things are signed: calls of the client API by an application's key (a bearer token), changes of
names by a custody wallet, and requests for keys by two custody wallets.</p>

<h2 id="key">A key that acts as a user</h2>
<p>An application key is an Ed25519 pair. Its public half is registered for a fid, the private half stays with the application.
It gets there in one of three ways:</p>
<ul>
<li>In the sandbox everybody's keys lie in <code>sandbox-accounts.json</code> of the data directory (<code>.castellan</code>):
<code>appKey</code> is the private half, 64 hex digits; <code>custodyKey</code> is the wallet. Nobody's are worth anything elsewhere.</li>
<li>The operator of a test network imports it: <code>appKeys</code> of an account in a network file.</li>
<li>The application asks the user: a <a href="#request">signed key request</a>, as on the live network.</li>
</ul>

<h2 id="token">The bearer token</h2>
<p>What is marked <span class="chip">token</span> in the reference takes <code>Authorization: Bearer TOKEN</code>. A token is
three base64url segments without padding, with dots between them: <code>header.payload.signature</code>.</p>
<table><thead><tr><th scope="col">segment</th><th scope="col">field</th><th scope="col">holds</th></tr></thead><tbody>
<tr><th scope="row">header</th><td><code>fid</code></td><td>integer: the user that acts</td></tr>
<tr><th scope="row">header</th><td><code>type</code></td><td>always <code>"app_key"</code></td></tr>
<tr><th scope="row">header</th><td><code>key</code></td><td>the public key, <code>0x</code> and 64 hex digits</td></tr>
<tr><th scope="row">payload</th><td><code>exp</code></td><td>integer, UNIX seconds: when it expires. Usually in five minutes, at most 24 hours ahead</td></tr>
<tr><th scope="row">signature</th><td></td><td>64 bytes: Ed25519 (RFC 8032) over the ASCII bytes of <code>header.payload</code>, as encoded; nothing is hashed before</td></tr>
</tbody></table>
<p>Whatever is wrong with it is 401 <code>invalid_auth_token</code>, and the message says what: its form, an unknown or revoked key, the
time (our clock may be five seconds ahead of yours). It names no audience: send it over https or on this machine alone, and keep one key per network.</p>
<p>The examples take <code>FID</code>, <code>APP_KEY</code> (64 hex digits) and, for another address than
<code>http://127.0.0.1:4680</code>, <code>CASTELLAN_URL</code> from the environment. As ada of the sandbox:</p>
${block("shell", sandboxKeys)}
${await example("TypeScript, by the client", "follow.ts")}
${await example("TypeScript, by hand", "token.ts")}
${await example("Python", "token.py")}
${await example("curl", "token.sh")}

<h2 id="names">Names</h2>
<p><code>POST /transfers</code> takes no token: it carries an EIP-712 signature of the custody wallet of <code>fid</code> over
<code>UserNameProof(string name,uint256 timestamp,address owner)</code>. <code>timestamp</code> is within ten minutes of now, and each claim
counts once. Whoever is not the holder (a transfer asked by its receiver) adds <code>from_signature</code>, by the holder's wallet over
<code>UserNameTransfer(string name,uint256 timestamp,address owner,uint256 to)</code>.</p>
<p>The domain is told by <code>GET /signer</code>. By default it is our own, so that no claim signed here holds at the live registry;
<code>NAME_DOMAIN=live</code> takes the live one.</p>
${describeDomains(ownNameDomain, liveNameDomain)}
${await example("TypeScript", "name.ts")}
<p>In other languages any library that signs EIP-712 takes the same domain, types and message; for Python that is
<code>eth-account</code>.</p>

<h2 id="request">Signed key requests</h2>
<p>Both signatures are EIP-712: the application's custody wallet signs
<code>SignedKeyRequest(uint256 requestFid,bytes key,uint256 deadline)</code>, the user's
<code>SignedKeyAnswer(string answer,uint256 userFid,uint256 requestFid,bytes key,uint256 deadline,string token)</code>, which
<code>GET /signed-key-request/message</code> gives ready to be signed. Their domain here, and on the live network:</p>
${describeDomains(ownKeyRequestDomain, liveKeyRequestDomain)}
<p>Where a sponsor pays, their custody wallet signs the raw bytes of the request's signature (EIP-191).</p>
${await example("TypeScript", "key-request.ts")}

<h2 id="pages">From web pages</h2>
<p>Pages of any origin may read what is public, and post to <code>/transfers</code>. A call with a token is not for them: the preflight is
answered without <code>Authorization</code>, so browsers do not send it. Let the page ask its own server, which holds the key.</p>
</main>`;
  return page({ title: "Castellan's network: keys, tokens and signatures", base: "", body });
}

const sandboxKeys = `export FID=1
export APP_KEY=$(node -p 'require("./.castellan/sandbox-accounts.json").find(({ fid }) => fid === 1).appKey')
export CUSTODY_KEY=$(node -p 'require("./.castellan/sandbox-accounts.json").find(({ fid }) => fid === 1).custodyKey')`;

function describeDomains(own: NameDomain, live: NameDomain): string {
  const rows = Object.entries(own).map(([field, value]) => {
    const other = live[field as keyof NameDomain]; // the fields of one domain are those of the other
    return `<tr><th scope="row"><code>${field}</code></th><td><code>${escape(String(value))}</code></td><td><code>${escape(String(other))}</code></td></tr>`;
  });
  return `<table><thead><tr><th scope="col">domain</th><th scope="col">own (default)</th><th scope="col">live</th></tr></thead><tbody>${rows.join("\n")}</tbody></table>`;
}
