import { getPublicKeyAsync } from "@noble/ed25519";
import type { Api } from "../api/create-api.ts";
import { addressOf } from "../api/signatures.ts";
import { isBotComplete, type BotAccount } from "../api/store/accounts.ts";
import { asAppError } from "../errors.ts";
import type { StartContext } from "./start-context.ts";

/**
 * At the first start the bot gets its account on the embedded network, its name, application key and place on the allowlist; the
 * database is asked nothing before `after`.
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
  // An import would find that out by ten statements.
  if (await isBotComplete(database.query, account)) return;
  const { fid, custodyAddress, appKey } = account;
  const accounts = [{ fid, custodyAddress, username: "castellan", appKeys: [appKey] }];
  const add = () => api.operator.importNetwork({ accounts, botAllowlist: [fid] });
  // Processes that start at once on an empty database all add it: one does, and the others find it there.
  await add().catch((error: unknown) => {
    if (!asAppError(error, "not_ready")) throw error;
    return add();
  });
}
