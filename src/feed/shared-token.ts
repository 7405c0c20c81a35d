import type { BotContext } from "../bot-context.ts";

/** How long a sign counts, in milliseconds: after that the other process is considered gone, until it shows again. */
const counts = 15 * 60_000;
const storedFor = 24 * 3600_000;
/** A single answer can come from a proxy that sent a request twice; answers to two people cannot. */
const fewestAnswers = 2;

/**
 * Stores that another process with the bot's token and another database answered an interaction. The first conclusive sign
 * is logged for the operator. The same interaction counts once.
 */
export async function noteTokenSign(
  context: Pick<BotContext, "database" | "clock" | "log">,
  id: string,
): Promise<void> {
  const { database, clock, log } = context;
  const now = clock.now();
  const before = await findSharedToken(context);
  await database.query
    .insertInto("castellan.token_uses")
    .values({ id, kind: "answer", room_id: null, seen_at_ms: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await database.query
    .deleteFrom("castellan.token_uses")
    .where("seen_at_ms", "<", now - storedFor)
    .execute();
  const after = await findSharedToken(context);
  if (after && !before) log.error({ id }, `Discord's bot ${describeSharedToken(after, now)}`);
}

/** Recent activity of another process with the bot's token. */
interface SharedToken {
  answers: number;
  /** UNIX milliseconds. */
  latestMs: number;
}

/** Undefined if nothing shows that another process uses the bot's token. */
export async function findSharedToken({
  database,
  clock,
}: Pick<BotContext, "database" | "clock">): Promise<SharedToken | undefined> {
  const { answers, latestMs } = await database.query
    .selectFrom("castellan.token_uses")
    .select(({ fn }) => [fn.countAll<number>().as("answers"), fn.max("seen_at_ms").as("latestMs")])
    .where("kind", "=", "answer")
    .where("seen_at_ms", ">", clock.now() - counts)
    .executeTakeFirstOrThrow();
  return latestMs === null || answers < fewestAnswers ? undefined : { answers, latestMs };
}

/** Continues a sentence that begins with "Discord's bot". */
export function describeSharedToken({ latestMs }: SharedToken, nowMs: number): string {
  const ago = Math.max(0, Math.round((nowMs - latestMs) / 60_000));
  return (
    "is also used by another process: something else with its token, and another database, answers commands before " +
    `this one can (seen ${ago === 0 ? "just now" : `${ago} min ago`}). Give each Castellan its own bot, or stop one. ` +
    "If you do not know of another, reset the token in Discord's developer portal."
  );
}
