/** Posts a network file from a separate process: node bench/post-network-file.ts URL TOKEN RECORDS. */
import { makeNetworkFile } from "./network-file.ts";

const [url = "", token = "", records = "0"] = process.argv.slice(2);
const response = await fetch(`${url}/operator/network`, {
  method: "POST",
  headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  body: makeNetworkFile(Number(records)),
});
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
