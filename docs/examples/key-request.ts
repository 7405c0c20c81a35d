// An application requests a key that signs for a user. Here the user's wallet is available and approves. npm install viem
import { generateKeyPairSync } from "node:crypto";
import { privateKeyToAccount } from "viem/accounts";

const { CASTELLAN_URL: url = "http://127.0.0.1:4680", APP_FID = "", APP_CUSTODY_KEY = "" } = process.env;
const { FID: userFid = "", CUSTODY_KEY = "" } = process.env;

async function call(path: string, body?: object) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(
    `${url}${path}`,
    body && { method: "POST", headers, body: JSON.stringify(body) },
  );
  const answer = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer.result;
}

// 1. The application makes a key pair, keeps the private half, and signs a request for the public one.
const pair = generateKeyPairSync("ed25519");
const key =
  `0x${pair.publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex")}` as const;
const deadline = Math.floor(Date.now() / 1000) + 24 * 3600;
const application = privateKeyToAccount(APP_CUSTODY_KEY as `0x${string}`); // 0x and 64 hex digits
const signature = await application.signTypedData({
  domain: {
    name: "Service SignedKeyRequestValidator",
    version: "1",
    chainId: 10,
    verifyingContract: "0xca57e11a00000000000000000000000000000001",
  },
  types: {
    SignedKeyRequest: [
      { name: "requestFid", type: "uint256" },
      { name: "key", type: "bytes" },
      { name: "deadline", type: "uint256" },
    ],
  },
  primaryType: "SignedKeyRequest",
  message: { requestFid: BigInt(APP_FID), key, deadline: BigInt(deadline) },
});
const { signedKeyRequest } = await call("/v2/signed-key-requests", {
  key,
  requestFid: Number(APP_FID),
  deadline,
  signature,
});
const { token } = signedKeyRequest;

// 2. The user opens the deeplink, or /signed-key-request?token=…, where their wallet signs this:
const { typedData } = await call(
  `/signed-key-request/message?token=${token}&userFid=${userFid}&answer=approve`,
);
const user = privateKeyToAccount(CUSTODY_KEY as `0x${string}`);
const approval = await user.signTypedData(JSON.parse(typedData));
await call("/signed-key-request/answer", {
  token,
  userFid: Number(userFid),
  answer: "approve",
  signature: approval,
});

// 3. The application polls until the key is active.
for (let state = ""; state !== "completed"; await new Promise((resolve) => setTimeout(resolve, 500))) {
  ({ state } = (await call(`/v2/signed-key-request?token=${token}`)).signedKeyRequest);
  console.log(state);
}
