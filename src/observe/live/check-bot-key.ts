import type { BotContext } from "../../bot-context.ts";
import { newEvent, type EventData } from "../events.ts";
import { findBadStanding, readKeyRow, shortenKey, type BotKey, type KeyRow } from "./bot-key.ts";

/** Milliseconds after which the hubs are asked about the key again; sooner if none of them responded. */
const checkEvery = { known: 24 * 3600_000, unknown: 3600_000 };

type KeyContext = BotContext & { live: { key: BotKey } };

function hasKey(context: BotContext): context is KeyContext {
  return context.live?.key !== undefined;
}

/** Whether the hubs should be asked about the key, or a problem with it is not announced yet. */
export async function hasKeyToCheck(context: BotContext): Promise<boolean> {
  if (!hasKey(context)) return false;
  const row = await readKeyRow(context, context.live.key.name);
  return isCheckDue(context, row) || findNews(row) !== undefined;
}

/** Asks the hubs about the bot's key every day, and announces a problem to all servers once. */
export async function checkBotKey(context: BotContext, signal: AbortSignal): Promise<void> {
  if (!hasKey(context)) return;
  const { name } = context.live.key;
  const known = await readKeyRow(context, name);
  if (isCheckDue(context, known)) await check(context, signal);
  const row = await readKeyRow(context, name);
  const news = findNews(row);
  if (row && news) await announce(context, row, news);
}

function isCheckDue({ clock }: BotContext, row: KeyRow | undefined): boolean {
  if (!row || row.checked_at_ms === null) return true;
  const every = row.standing === "unknown" ? checkEvery.unknown : checkEvery.known;
  return clock.now() - row.checked_at_ms >= every;
}

async function check({ database, clock, log, live }: KeyContext, signal: AbortSignal): Promise<void> {
  const { name } = live.key;
  const { state, message } = await live.key.check(signal);
  const checked = { checked_at_ms: clock.now(), standing: state, standing_message: message.slice(0, 300) };
  await database.query
    .insertInto("castellan.bot_keys")
    .values({ key: name, ...checked })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        ...checked,
        // A problem is announced again after it was solved in between.
        ...(state === "active" && { announced_standing: null }),
      }),
    )
    .execute();
  // The bot's earlier keys.
  await database.query.deleteFrom("castellan.bot_keys").where("key", "!=", name).execute();
  if (state !== "active" && state !== "unknown") {
    log.error({ key: name, state }, `the bot's key ${shortenKey(name)} ${message}`);
  }
}

type KeyNews = Omit<EventData["key.trouble"], "guildId">;

/** The problem that is not announced yet. */
function findNews(row: KeyRow | undefined): KeyNews | undefined {
  if (!row) return undefined;
  if (row.refused_at_ms !== null && row.refusal_announced_at_ms === null) {
    return { trouble: "refused", message: row.refusal ?? "" };
  }
  const bad = findBadStanding(row);
  if (!bad || bad.state === row.announced_standing) return undefined;
  return { trouble: bad.state, message: bad.message };
}

async function announce(context: KeyContext, row: KeyRow, news: KeyNews): Promise<void> {
  const now = context.clock.now();
  await context.database.transaction(async (tx) => {
    const isRefusal = news.trouble === "refused";
    const claimed = await tx
      .updateTable("castellan.bot_keys")
      .set(isRefusal ? { refusal_announced_at_ms: now } : { announced_standing: news.trouble })
      .where("key", "=", row.key)
      .where((is) =>
        isRefusal
          ? is("refusal_announced_at_ms", "is", null)
          : is("announced_standing", "is not distinct from", row.announced_standing),
      )
      .executeTakeFirst();
    if (claimed.numUpdatedRows === 0n) return;
    const servers = await tx
      .selectFrom("castellan.links")
      .select("guild_id")
      .distinct()
      .where("suspended_at_ms", "is", null)
      .execute();
    const events = servers.map(({ guild_id: guildId }) =>
      newEvent(now, {
        sourceKey: `key ${guildId} ${news.trouble} ${now}`,
        kind: "key.trouble",
        channelId: null,
        data: { guildId, ...news },
      }),
    );
    await context.appendEvents(tx, events);
  });
}
