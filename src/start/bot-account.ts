import { getPublicKeyAsync } from "@noble/ed25519";
import { sql } from "kysely";
import type { Api } from "../api/create-api.ts";
import { addressOf } from "../api/signatures.ts";
import type { StartContext } from "./start-context.ts";

interface BotAccount {
  fid: number;
  custodyAddress: string;
  appKey: string;
  allowlisted: boolean;
}

/** At the first start the bot gets its account on the embedded network, its name, application key and place on the allowlist. */
export async function addBotAccount(
  api: Api,
  { config, keys, database }: Pick<StartContext, "config" | "keys" | "database">,
): Promise<void> {
  const secret = config.BOT_APP_KEY ?? keys.botAppKey;
  const publicKey = await getPublicKeyAsync(Buffer.from(secret, "hex"));
  const account: BotAccount = {
    fid: config.BOT_FID,
    custodyAddress: addressOf(keys.botCustodyKey),
    appKey: `0x${Buffer.from(publicKey).toString("hex")}`,
    allowlisted: config.BOT_ALLOWLISTED === "on",
  };
  if (await isComplete(database, account)) return;
  const { fid, custodyAddress, appKey, allowlisted } = account;
  await api.operator.importNetwork({
    accounts: [{ fid, custodyAddress, username: "castellan", appKeys: [appKey] }],
    ...(allowlisted && { botAllowlist: [fid] }),
  });
}

/** Whether an import would add nothing, which takes ten statements to find out. */
async function isComplete(
  { query }: StartContext["database"],
  { fid, custodyAddress, appKey, allowlisted }: BotAccount,
): Promise<boolean> {
  const { rows } = await sql<{ complete: boolean }>`
    select exists (
        select from network.accounts where fid = ${fid} and custody_address = ${custodyAddress}
      )
      and exists (select from network.app_keys where fid = ${fid} and key = ${appKey})
      and exists (select from network.transfers where to_fid = ${fid})
      and (not ${allowlisted} or exists (select from network.bot_allowlist where fid = ${fid})) as complete
  `.execute(query);
  return rows[0]?.complete === true;
}
