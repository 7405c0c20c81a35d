import type { Selectable } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Network } from "../../contract/index.ts";
import { camelCased, type CamelCased } from "../../database/camel-case.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import type { ModerationTables } from "../../database/tables/moderation.ts";
import { announceLink } from "../channel-links.ts";

/** A Discord user's own proof that they hold a fid, for one server's link to one channel. */
type StaffProof = CamelCased<Selectable<ModerationTables["castellan.staff_proofs"]>>;

/** How often the custody address of each fid is read again, in milliseconds. */
const custodyAge = 24 * 3600_000;

/** The proofs for a server's link to a channel, oldest first. */
export async function listProofs(
  query: Queryable,
  guildId: string,
  channelId: string,
): Promise<StaffProof[]> {
  const rows = await query
    .selectFrom("castellan.staff_proofs")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .orderBy("proven_at_ms")
    .orderBy("user_id")
    .execute();
  return rows.map(camelCased);
}

/** The fid that the user proved to hold for each channel of the server, by channel. */
export async function readProvenFids(
  { database }: BotContext,
  guildId: string,
  userId: string,
): Promise<Map<string, number>> {
  const rows = await database.query
    .selectFrom("castellan.staff_proofs")
    .select(["channel_id", "fid"])
    .where("guild_id", "=", guildId)
    .where("user_id", "=", userId)
    .execute();
  return new Map(rows.map(({ channel_id, fid }) => [channel_id, fid]));
}

/** Stores a proof, replacing an earlier one of the same user, and makes it an event. Last in its transaction. */
export async function recordProof(
  context: BotContext,
  tx: Tx,
  proof: Omit<StaffProof, "provenAtMs" | "custodyReadAtMs">,
): Promise<void> {
  const { guildId, channelId, userId, fid, method, castHash, custodyAddress } = proof;
  const now = context.clock.now();
  const proven = {
    fid,
    method,
    cast_hash: castHash,
    custody_address: custodyAddress,
    proven_at_ms: now,
    custody_read_at_ms: custodyAddress === null ? null : now,
  };
  await tx
    .insertInto("castellan.staff_proofs")
    .values({ guild_id: guildId, channel_id: channelId, user_id: userId, ...proven })
    .onConflict((conflict) => conflict.columns(["guild_id", "channel_id", "user_id"]).doUpdateSet(proven))
    .execute();
  const reason = `<@${userId}> proved to be fid ${fid}, ${describeMethod(proof)}.`;
  await announceLink(context, tx, { guildId, channelId, change: "staff_proven", reason });
}

/** The method of the proof, following "proved to be fid 3, ". */
export function describeMethod({
  method,
  castHash,
  custodyAddress,
}: Pick<StaffProof, "method" | "castHash" | "custodyAddress">): string {
  return method === "cast"
    ? `by the cast ${castHash ?? ""}`
    : `by a signature of its custody wallet ${custodyAddress ?? ""}`;
}

/** Deletes the proofs and codes for a server's link to a channel, because they end with the link. */
export async function withdrawProofs(tx: Tx, guildId: string, channelId: string): Promise<StaffProof[]> {
  const codes = await tx
    .deleteFrom("castellan.link_codes")
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .returning("code")
    .execute();
  for (const { code } of codes) {
    await tx.deleteFrom("castellan.code_casts").where("code", "=", code).execute();
  }
  const rows = await tx
    .deleteFrom("castellan.staff_proofs")
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .returningAll()
    .execute();
  return rows.map(camelCased);
}

/**
 * The custody address that holds a fid now, in lower case: the chain's latest registration or transfer, according to the
 * hub. Undefined if the hub has none. Throws hub errors.
 */
export async function readCustody(
  hub: Pick<Network["hub"], "onChainEventsByFid">,
  fid: number,
): Promise<string | undefined> {
  const { events } = await hub.onChainEventsByFid({ fid, event_type: "EVENT_TYPE_ID_REGISTER" });
  const moves = events
    .filter(
      (event) => event.fid === fid && /register$|transfer$/i.test(event.idRegisterEventBody?.eventType ?? ""),
    )
    .toSorted((one, other) => other.blockNumber - one.blockNumber || other.logIndex - one.logIndex);
  const holder = moves[0]?.idRegisterEventBody?.to.toLowerCase();
  return holder !== undefined && /^0x[0-9a-f]{40}$/.test(holder) ? holder : undefined;
}

/** The same, but undefined if the hub does not respond: a proof is valid without it, and it is requested again later. */
export async function tryCustody(context: BotContext, fid: number): Promise<string | undefined> {
  return readCustody(context.network.hub, fid).catch((err: unknown) => {
    context.log.warn({ err, fid }, "could not read the custody address of a fid");
    return undefined;
  });
}

/**
 * Ends a link's proofs whose fid has moved to another custody address: its holder sold it or gave it away. Checked once a
 * day; a missing response changes nothing.
 */
export async function checkCustody(context: BotContext, guildId: string, channelId: string): Promise<void> {
  const { database, clock } = context;
  for (const proof of await listProofs(database.query, guildId, channelId)) {
    const now = clock.now();
    if (proof.custodyReadAtMs !== null && now - proof.custodyReadAtMs < custodyAge) continue;
    const custody = await tryCustody(context, proof.fid);
    if (custody === undefined) continue;
    const isSame = proof.custodyAddress === null || proof.custodyAddress === custody;
    await database.transaction((tx) => settleCustody(context, tx, proof, isSame ? custody : undefined));
  }
}

/** `custody` is undefined if the fid belongs to somebody else now. */
async function settleCustody(
  context: BotContext,
  tx: Tx,
  { guildId, channelId, userId, fid, provenAtMs }: StaffProof,
  custody: string | undefined,
): Promise<void> {
  if (custody !== undefined) {
    await tx
      .updateTable("castellan.staff_proofs")
      .set({ custody_address: custody, custody_read_at_ms: context.clock.now() })
      .where("guild_id", "=", guildId)
      .where("channel_id", "=", channelId)
      .where("user_id", "=", userId)
      .where("proven_at_ms", "=", provenAtMs)
      .execute();
    return;
  }
  const { numDeletedRows } = await tx
    .deleteFrom("castellan.staff_proofs")
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("user_id", "=", userId)
    // Proved again meanwhile, so the reading is out of date.
    .where("proven_at_ms", "=", provenAtMs)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return;
  const reason = `fid ${fid} has another custody address since <@${userId}> proved to hold it.`;
  await announceLink(context, tx, { guildId, channelId, change: "staff_withdrawn", reason });
}
