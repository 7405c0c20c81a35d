// Registers a name for a user: a claim that the custody wallet signs (EIP-712). npm install viem
import { privateKeyToAccount } from "viem/accounts";

const { CASTELLAN_URL: url = "http://127.0.0.1:4680", FID = "", CUSTODY_KEY = "", NAME = "" } = process.env;

// This registry returns its domain. The live one does not, because its domain is fixed.
const { domain } = await (await fetch(`${url}/signer`)).json();
const wallet = privateKeyToAccount(CUSTODY_KEY as `0x${string}`); // 0x and 64 hex digits
const timestamp = Math.floor(Date.now() / 1000);

const signature = await wallet.signTypedData({
  domain,
  types: {
    UserNameProof: [
      { name: "name", type: "string" },
      { name: "timestamp", type: "uint256" },
      { name: "owner", type: "address" },
    ],
  },
  primaryType: "UserNameProof",
  message: { name: NAME, timestamp: BigInt(timestamp), owner: wallet.address },
});

// From nobody (0) to the user; a transfer to 0 releases the name.
const claim = {
  name: NAME,
  from: 0,
  to: Number(FID),
  fid: Number(FID),
  owner: wallet.address,
  timestamp,
  signature,
};
const response = await fetch(`${url}/transfers`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(claim),
});
console.log(response.status, await response.text());
