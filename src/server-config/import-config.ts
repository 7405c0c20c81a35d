import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import { AppError, asAppError } from "../errors.ts";
import { announceSetupChange } from "../observe/setup-changes.ts";
import type { RulesContext } from "../rules/versions/rules-of-server.ts";
import { compareFile, putInForce, type ComparedFile } from "../rules/versions/store-file.ts";
import { operator } from "../text/show-doer.ts";
import { compareConfig } from "./compare-config.ts";
import { parseConfigFile, type ServerConfig } from "./config-file.ts";
import { readConfig, type StoredConfig } from "./read-config.ts";

interface ConfigOfServer {
  guildId: string;
  source: string;
  /** If false, nothing is changed. */
  apply: boolean;
}

type ConfigContext = BotContext & RulesContext;

/**
 * Compares a file with a server's configuration, and can put it in place, completely or not at all. Sections and channels
 * that the file leaves out stay as they are. Returns a line for each change. Throws `invalid_file`, and `not_found` for a
 * server without a link.
 */
export async function importConfig(
  context: ConfigContext,
  { guildId, source, apply }: ConfigOfServer,
): Promise<{ changes: string[] }> {
  const { config, refuse } = parseConfigFile(source);
  const stored = await readConfig(context, guildId);
  const faults = [
    ...findUnlinked(stored, config),
    ...(await findForeignRooms(context, guildId, config)),
    ...findEveryoneMentioned(guildId, config),
  ];
  if (faults.length > 0) throw refuse(faults);
  const rules = await compareRules(context, guildId, config);
  const { clock, wake } = context;
  const changes = compareConfig({ guildId, clock, wake }, stored, config);
  if (apply) {
    await context.database.transaction(async (tx) => {
      await requireLinked(tx, guildId, config);
      for (const { make } of changes) await make(tx);
      // Events come last in a transaction.
      if (rules && rules.changes.length > 0) await putInForce(context, tx, rules, "import config");
      for (const { record } of changes) {
        await announceSetupChange(context, tx, { ...record, guildId, userId: operator });
      }
    });
  }
  const ofRules = rules?.changes.map((line) => line.replace(/^(.) /, "$1 rules: ")) ?? [];
  return { changes: [...changes.map(({ line }) => line), ...ofRules] };
}

function findUnlinked(stored: StoredConfig, { channels = [] }: ServerConfig) {
  const linked = stored.channels.map(({ channelId }) => channelId);
  return channels.flatMap(({ channelId }, index) => {
    if (linked.includes(channelId)) return [];
    const message = `is not linked to this server, which is linked to ${linked.join(", ")}`;
    return [{ path: ["channels", index, "channel"], message, at: undefined }];
  });
}

/** A link that is removed meanwhile takes the capabilities of its channel with it, so it must not go before they are given. */
async function requireLinked(tx: Tx, guildId: string, { channels = [] }: ServerConfig): Promise<void> {
  if (channels.length === 0) return;
  const linked = await tx
    .selectFrom("castellan.links")
    .select("channel_id")
    .where("guild_id", "=", guildId)
    .where(
      "channel_id",
      "in",
      channels.map(({ channelId }) => channelId),
    )
    .forShare()
    .execute();
  if (linked.length === channels.length) return;
  throw new AppError("expired", "A channel was unlinked in the meantime. Check the file and try again.");
}

/** Rooms that post another server's feeds. */
async function findForeignRooms({ database }: BotContext, guildId: string, { rooms = [] }: ServerConfig) {
  if (rooms.length === 0) return [];
  const ids = rooms.map(({ roomId }) => roomId);
  const foreign = await database.query
    .selectFrom("castellan.room_queues")
    .select("room_id")
    .where("room_id", "in", ids)
    .where("guild_id", "<>", guildId)
    .execute();
  return foreign.map(({ room_id }) => {
    const path = ["rooms", ids.indexOf(room_id), "room"];
    return { path, message: "is a room of another server", at: undefined };
  });
}

function findEveryoneMentioned(guildId: string, { rooms = [] }: ServerConfig) {
  return rooms.flatMap(({ settings }, index) => {
    if (settings.mention?.role !== guildId) return [];
    const path = ["rooms", index, "mention", "role"];
    return [{ path, message: "would mention everyone: choose a role", at: undefined }];
  });
}

async function compareRules(
  context: ConfigContext,
  guildId: string,
  { rules }: ServerConfig,
): Promise<ComparedFile | undefined> {
  if (rules === undefined) return undefined;
  try {
    return await compareFile(context, guildId, rules);
  } catch (error) {
    const refused = asAppError(error, "invalid_file");
    if (!refused) throw error;
    const mistakes = refused.mistakes.map(({ path, message }) => ({ path: `rules, ${path}`, message }));
    throw new AppError("invalid_file", refused.message, { cause: error, mistakes });
  }
}
