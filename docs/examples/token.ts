// Makes a bearer token by hand, using only Node, and calls as a user.
import { createPrivateKey, createPublicKey, sign } from "node:crypto";

const { CASTELLAN_URL: url = "http://127.0.0.1:4680", FID = "", APP_KEY = "" } = process.env;

// Node expects a raw Ed25519 private key wrapped in PKCS #8.
const pkcs8 = Buffer.from(`302e020100300506032b657004220420${APP_KEY}`, "hex");
const privateKey = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
const publicKey = createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-32);

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const header = encode({ fid: Number(FID), type: "app_key", key: `0x${publicKey.toString("hex")}` });
const payload = encode({ exp: Math.floor(Date.now() / 1000) + 300 });
const signature = sign(null, Buffer.from(`${header}.${payload}`), privateKey).toString("base64url");
const token = `${header}.${payload}.${signature}`;

const response = await fetch(`${url}/fc/channel-follows`, {
  method: "POST",
  headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  body: JSON.stringify({ channelId: "garden" }),
});
console.log(response.status, await response.text());
