import { sql, type Selectable } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../database/database.ts";
import type { ObserveTables } from "../../database/tables/observe.ts";
import type { AppError } from "../../errors.ts";
import type { Log } from "../../log.ts";

/** A key's state by the hubs' responses; `unknown` if none reports one. */
export type KeyState = "active" | "ends_soon" | "ended" | "powerless" | "gone" | "unknown";

/** States that somebody has to act on. */
export type BadKeyState = Exclude<KeyState, "active" | "unknown">;

export interface KeyStanding<State = KeyState> {
  state: State;
  /** The text after the key's name in a sentence: "expired 2027-01-02 03:04 UTC." */
  message: string;
}

/** The key with which the bot acts on a remote network. */
export interface BotKey {
  /** The public half, as the network spells it. */
  name: string;
  /** Asks the hubs about it. */
  check(signal: AbortSignal): Promise<KeyStanding>;
}

export type KeyRow = Selectable<ObserveTables["castellan.bot_keys"]>;

interface Context {
  database: Pick<Database, "query">;
  clock: Clock;
  log: Log;
}

/** Milliseconds during which a process does not store the same state of the key again. */
const storedFor = 60_000;
/** A rejection is announced again after this many milliseconds if calls succeeded in between. */
const announcedFor = 24 * 3600_000;

/** Stores the result of each call that used the key: `refusal` if the network responded 401, undefined for a success. */
export function createKeyRecord(context: Context, key: string): (refusal: AppError | undefined) => void {
  const { clock, log } = context;
  let stored: { isRefused: boolean; until: number } | undefined;
  let storing = Promise.resolve();
  return (refusal) => {
    const isRefused = refusal !== undefined;
    if (stored?.isRefused === isRefused && clock.monotonic() < stored.until) return;
    stored = { isRefused, until: clock.monotonic() + storedFor };
    // In sequence, so that the latest call counts.
    storing = storing
      .then(() => (refusal ? storeRefusal(context, key, refusal) : storeSuccess(context, key)))
      .catch((err: unknown) => {
        stored = undefined;
        log.warn({ err }, "could not store the result of a call made with the bot's key");
      });
  };
}

async function storeRefusal({ database, clock, log }: Context, key: string, err: AppError): Promise<void> {
  const now = clock.now();
  const { rows } = await sql`
    insert into castellan.bot_keys (key, refused_at_ms, refusal) values (${key}, ${now}, ${err.message.slice(0, 300)})
    on conflict (key) do update set refused_at_ms = excluded.refused_at_ms, refusal = excluded.refusal,
      refusal_announced_at_ms = case when bot_keys.refusal_announced_at_ms > ${now - announcedFor}
        then bot_keys.refusal_announced_at_ms end
    where bot_keys.refused_at_ms is null
    returning key
  `.execute(database.query);
  // Only the first of several processes logs it.
  if (rows.length > 0) log.error({ err, key }, "the network refuses the bot's key: run castellan doctor");
}

async function storeSuccess({ database, clock, log }: Context, key: string): Promise<void> {
  const { rows } = await sql<{ was_refused: boolean }>`
    with before as (select refused_at_ms is not null as was_refused from castellan.bot_keys where key = ${key})
    insert into castellan.bot_keys (key, accepted_at_ms) values (${key}, ${clock.now()})
    on conflict (key) do update set accepted_at_ms = excluded.accepted_at_ms, refused_at_ms = null, refusal = null
    returning (select was_refused from before) as was_refused
  `.execute(database.query);
  if (rows[0]?.was_refused) log.info({ key }, "the network accepts the bot's key again");
}

/** The stored state of a key; undefined if it was never used for a call and no hub was asked about it. */
export async function readKeyRow(
  { database }: Pick<Context, "database">,
  key: string,
): Promise<KeyRow | undefined> {
  return database.query
    .selectFrom("castellan.bot_keys")
    .selectAll()
    .where("key", "=", key)
    .executeTakeFirst();
}

/** The problem with the key by the hubs' last responses; undefined if there is none, or it is unknown. */
export function findBadStanding(row: KeyRow | undefined): KeyStanding<BadKeyState> | undefined {
  const { standing, standing_message: message } = row ?? {};
  if (!standing || !message || standing === "active" || standing === "unknown") return undefined;
  // As stored: the other states were just excluded.
  return { state: standing as BadKeyState, message };
}

/** "0x1f2e3d4c…5b6a". */
export function shortenKey(key: string): string {
  return `${key.slice(0, 10)}…${key.slice(-4)}`;
}
