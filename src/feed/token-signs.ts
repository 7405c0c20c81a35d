import { sql } from "kysely";
import type { BotContext } from "../bot-context.ts";

type Context = Pick<BotContext, "database" | "clock" | "log">;

/** What only another process with the bot's token, and another database, can have done. */
export interface TokenSign {
  kind: "answer" | "message";
  /** Of the interaction or message, in Discord. */
  id: string;
  roomId?: string;
}

/** A sign counts for so long: then the other process is taken to be gone, until it shows again. Milliseconds. */
const counts = 15 * 60_000;
const kept = 24 * 3600_000;
/** One answer may be lost to a proxy on the way that sends twice; two of different people are not. */
const fewestAnswers = 2;

/** Remembers a sign; the first that proves something is told to the operator. Whoever sees the same sign adds nothing. */
export async function noteTokenSign(context: Context, { kind, id, roomId }: TokenSign): Promise<void> {
  const { database, clock, log } = context;
  const now = clock.now();
  const before = await findSharedToken(context);
  await database.query
    .insertInto("castellan.token_signs")
    .values({ id, kind, room_id: roomId ?? null, seen_at_ms: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await database.query
    .deleteFrom("castellan.token_signs")
    .where("seen_at_ms", "<", now - kept)
    .execute();
  const after = await findSharedToken(context);
  if (after && !before) log.error({ kind, id, roomId }, `Discord's bot ${describeSharedToken(after, now)}`);
}

/** What another process did lately with the bot's token. */
export interface SharedToken {
  answers: number;
  messages: number;
  /** UNIX milliseconds. */
  latestMs: number;
}

/** undefined when nothing shows that anybody else uses the bot's token. */
export async function findSharedToken({
  database,
  clock,
}: Pick<BotContext, "database" | "clock">): Promise<SharedToken | undefined> {
  const { answers, messages, latestMs } = await database.query
    .selectFrom("castellan.token_signs")
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

/** To stand after "Discord's bot". */
export function describeSharedToken({ answers, messages, latestMs }: SharedToken, nowMs: number): string {
  const deeds = [
    ...(messages > 0 ? ["posts in rooms of this Castellan's feeds"] : []),
    ...(answers > 0 ? ["answers commands before this one can"] : []),
  ];
  const ago = Math.max(0, Math.round((nowMs - latestMs) / 60_000));
  return (
    `is used by another process too: something else with its token, and another database, ${deeds.join(" and ")} ` +
    `(seen ${ago === 0 ? "just now" : `${ago} min ago`}). Give each Castellan a bot of its own, or stop one. ` +
    "If you know of no other, reset the token in Discord's developer portal."
  );
}
