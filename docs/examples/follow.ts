// Calls as a user with the typed client, which makes the tokens. npm install @castellan/client
import { createClient } from "@castellan/client";

const { CASTELLAN_URL: url = "http://127.0.0.1:4680", FID = "", APP_KEY = "" } = process.env;

const signer = { fid: Number(FID), privateKey: APP_KEY };
const network = createClient({ clientUrl: url, registryUrl: url, hubUrl: url, signer });

await network.channelFollows.follow({ channelId: "garden" });
console.log(await network.channelFollows.status({ fid: Number(FID), channelId: "garden" }));
