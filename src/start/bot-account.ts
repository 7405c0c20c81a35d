import { getPublicKeyAsync } from "@noble/ed25519";
import type { Api } from "../api/create-api.ts";
import { addressOf } from "../api/signatures.ts";
import { isBotComplete, type BotAccount } from "../api/store/accounts.ts";
import { asAppError } from "../errors.ts";
import type { StartContext } from "./start-context.ts";

/**
 * The first start creates the bot's account on the embedded network, with its name, application key and place on the
 * allowlist. It does not use the database before `after`.
 */
export async function addBotAccount(
  api: Api,
  { config, keys, database }: Pick<StartContext, "config" | "keys" | "database">,
  after?: Promise<void>,
): Promise<void> {
  const secret = config.BOT_APP_KEY ?? keys.botAppKey;
  const publicKey = await getPublicKeyAsync(Buffer.from(secret, "hex"));
  const account: BotAccount = {
    fid: config.BOT_FID,
    custodyAddress: addressOf(keys.botCustodyKey),
    appKey: `0x${Buffer.from(publicKey).toString("hex")}`,
  };
  await after;
  // An import would need ten statements to find this out.
  if (await isBotComplete(database.query, account)) return;
  const { fid, custodyAddress, appKey } = account;
  const accounts = [{ fid, custodyAddress, username: "castellan", appKeys: [appKey] }];
  const add = () => api.operator.importNetwork({ accounts, botAllowlist: [fid] });
  // Processes that start simultaneously on an empty database all try to add it. One succeeds, and the others find it.
  await add().catch((error: unknown) => {
    if (!asAppError(error, "not_ready")) throw error;
    return add();
  });
}
