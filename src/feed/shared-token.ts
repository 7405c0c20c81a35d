import { sql } from "kysely";
import { mapLimited } from "../async.ts";
import type { BotContext } from "../bot-context.ts";
import { asAppError } from "../errors.ts";
import type { Rooms } from "./rooms.ts";

/** Evidence of another process with the bot's token and another database. */
interface TokenSign {
  kind: "answer" | "message";
  /** The interaction's or message's Discord id. */
  id: string;
  roomId?: string;
}

/** How long a sign counts, in milliseconds: after that the other process is considered gone, until it shows again. */
const counts = 15 * 60_000;
const storedFor = 24 * 3600_000;
/** A single answer can come from a proxy that sent a request twice; answers to two people cannot. */
const fewestAnswers = 2;

/** Stores a sign. The first conclusive sign is logged for the operator. The same sign seen twice counts once. */
export async function noteTokenSign(
  context: Pick<BotContext, "database" | "clock" | "log">,
  { kind, id, roomId }: TokenSign,
): Promise<void> {
  const { database, clock, log } = context;
  const now = clock.now();
  const before = await findSharedToken(context);
  await database.query
    .insertInto("castellan.token_uses")
    .values({ id, kind, room_id: roomId ?? null, seen_at_ms: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await database.query
    .deleteFrom("castellan.token_uses")
    .where("seen_at_ms", "<", now - storedFor)
    .execute();
  const after = await findSharedToken(context);
  if (after && !before) log.error({ kind, id, roomId }, `Discord's bot ${describeSharedToken(after, now)}`);
}

/** Recent activity of another process with the bot's token. */
interface SharedToken {
  answers: number;
  messages: number;
  /** UNIX milliseconds. */
  latestMs: number;
}

/** Undefined if nothing shows that another process uses the bot's token. */
export async function findSharedToken({
  database,
  clock,
}: Pick<BotContext, "database" | "clock">): Promise<SharedToken | undefined> {
  const { answers, messages, latestMs } = await database.query
    .selectFrom("castellan.token_uses")
    .select([
      sql<number>`count(*) filter (where kind = 'answer')`.as("answers"),
      sql<number>`count(*) filter (where kind = 'message')`.as("messages"),
      sql<number | null>`max(seen_at_ms)`.as("latestMs"),
    ])
    .where("seen_at_ms", ">", clock.now() - counts)
    .executeTakeFirstOrThrow();
  if (latestMs === null || (messages === 0 && answers < fewestAnswers)) return undefined;
  return { answers, messages, latestMs };
}

/** Continues a sentence that begins with "Discord's bot". */
export function describeSharedToken({ answers, messages, latestMs }: SharedToken, nowMs: number): string {
  const signs = [
    ...(messages > 0 ? ["posts in rooms of this Castellan's feeds"] : []),
    ...(answers > 0 ? ["answers commands before this one can"] : []),
  ];
  const ago = Math.max(0, Math.round((nowMs - latestMs) / 60_000));
  return (
    `is also used by another process: something else with its token, and another database, ${signs.join(" and ")} ` +
    `(seen ${ago === 0 ? "just now" : `${ago} min ago`}). Give each Castellan its own bot, or stop one. ` +
    "If you do not know of another, reset the token in Discord's developer portal."
  );
}

/** Rooms searched in one run: those with the latest messages. */
const maxRooms = 5;
/** The search covers this period after our own latest message, and only messages this recent. Milliseconds. */
const lately = 15 * 60_000;

/**
 * The last message searched in each room. Per process, because a database restored from a backup does not know later
 * posts, and a room's former feeds may have taken their messages with them.
 */
const searched = new WeakMap<Rooms, Map<string, bigint>>();

/**
 * Searches the rooms with recent messages for messages of the bot that have no row: another process with its token posted
 * them. Processes of one installation share the rows, which exist before a message is posted.
 */
export async function findForeignMessages(
  context: BotContext,
  rooms: Rooms,
  signal: AbortSignal,
): Promise<void> {
  const until = searched.get(rooms) ?? new Map<string, bigint>();
  searched.set(rooms, until);
  await mapLimited(await findBusyRooms(context), 1, async ({ roomId, feedId }) => {
    if (!signal.aborted) await searchRoom(context, rooms, until, roomId, `${feedId} ${roomId}`);
  });
}

async function findBusyRooms({ database, clock }: BotContext) {
  const { rows } = await sql<{ roomId: string; feedId: number }>`
    select room_id as "roomId", (
        select min(id) from castellan.feeds where feeds.room_id = queues.room_id and ended_at_ms is null
      ) as "feedId"
    from castellan.room_queues queues
    where delivered_at_ms > ${clock.now() - lately} and paused_since_ms is null
      and guild_id not in (select guild_id from castellan.absent_servers)
      and exists (select from castellan.feeds where feeds.room_id = queues.room_id and ended_at_ms is null)
    order by delivered_at_ms desc limit ${maxRooms}
  `.execute(database.query);
  return rows;
}

async function searchRoom(
  context: BotContext,
  rooms: Rooms,
  until: Map<string, bigint>,
  roomId: string,
  key: string,
): Promise<void> {
  const posted = await rooms.recent(roomId).catch((error: unknown) => {
    // Not shown, or gone: delivery reports that.
    if (asAppError(error)) return [];
    throw error;
  });
  const ids = posted.map(({ id }) => BigInt(id));
  const newest = ids.reduce((a, b) => (a > b ? a : b), 0n);
  const from = until.get(key);
  const fresh = ids.filter((id) => from !== undefined && id > from && timeOf(newest) - timeOf(id) < lately);
  // Queried after Discord, in one statement: our own earlier posts are sent by now, or still bound.
  const own = await context.database.query
    .selectFrom("castellan.feed_messages")
    .select(["state", "discord_id"])
    .where("room_id", "=", roomId)
    // Written out, because an index has only these.
    .where((is) =>
      is.or([sql<boolean>`state = 'bound'`, is("discord_id", "in", ["0", ...fresh.map(String)])]),
    )
    .execute();
  const known = new Set(own.map(({ discord_id }) => discord_id));
  const unknown = fresh.filter((id) => !known.has(String(id)));
  const bound = own.filter(({ state }) => state === "bound").length;
  if (unknown.length > 0 && unknown.length <= bound) return;
  if (newest > 0n) until.set(key, newest);
  if (unknown.length === 0) return;
  const id = String(unknown.reduce((a, b) => (a < b ? a : b)));
  await noteTokenSign(context, { kind: "message", id, roomId });
}

/** A Discord id's time, in milliseconds since Discord's epoch. */
function timeOf(id: bigint): number {
  return Number(id >> 22n);
}
