import { createHash } from "node:crypto";
import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import { AppError, asAppError } from "../errors.ts";
import { announceSetupChange, recordSetupChange } from "../observe/setup-changes.ts";
import type { RulesContext } from "../rules/versions/rules-of-server.ts";
import { compareFile, putFileInForce, type ComparedFile } from "../rules/versions/store-file.ts";
import { amount } from "../text/amount.ts";
import { operator } from "../text/show-doer.ts";
import { compareConfig } from "./compare-config.ts";
import { parseConfigFile, type ServerConfig } from "./config-file.ts";
import { findUnusable, type DiscordIds } from "./find-unusable.ts";
import { readConfig, type StoredConfig } from "./read-config.ts";

interface ConfigOfServer {
  guildId: string;
  source: string;
  /** Makes the changes, if they are those that were shown (`Imported.digest`). */
  apply?: string | undefined;
}

interface Imported {
  /** A line for each change. */
  changes: string[];
  /** Identifies these changes. */
  digest: string;
}

type ConfigContext = BotContext & RulesContext & { discord: DiscordIds };

/**
 * Compares a file with a server's configuration, and can put it in place, completely or not at all. Sections and channels
 * that the file leaves out stay as they are. Throws `invalid_file`, `not_found` for a server without a link or the bot,
 * `discord_unreachable`, and `expired` if the changes are no longer those that were shown.
 */
export async function importConfig(
  context: ConfigContext,
  { guildId, source, apply }: ConfigOfServer,
): Promise<Imported> {
  const { config, refuse } = parseConfigFile(source);
  const stored = await readConfig(context, guildId);
  const faults = [
    ...findUnlinked(stored, config),
    ...findOwnRole(guildId, config),
    ...findEveryoneMentioned(guildId, config),
  ];
  if (faults.length > 0) throw refuse(faults);
  const unusable = await findUnusable(context.discord, guildId, stored, config);
  if (unusable.length > 0) throw refuse(unusable);
  const rules = await compareRules(context, guildId, config);
  const { clock, wake } = context;
  const changes = compareConfig({ guildId, clock, wake }, stored, config);
  const ofRules = rules?.changes.map((line) => line.replace(/^(.) /, "$1 rules: ")) ?? [];
  const lines = [...changes.map(({ line }) => line), ...ofRules];
  const digest = createHash("sha256").update(JSON.stringify(lines)).digest("hex");
  if (apply === undefined) return { changes: lines, digest };
  if (apply !== digest) {
    const message =
      "The configuration was changed in the meantime. Nothing was imported. Run the command again.";
    throw new AppError("expired", message);
  }
  await context.database.transaction(async (tx) => {
    await requireLinked(tx, guildId, config);
    for (const { make } of changes) await make(tx);
    for (const { record } of changes) {
      await recordSetupChange(context, tx, { ...record, guildId, userId: operator });
    }
    // Events come last in a transaction. One post for all, because a file may change hundreds of things.
    if (rules && rules.changes.length > 0) await putFileInForce(context, tx, rules, "import config");
    if (changes.length === 0) return;
    const what = `imported a configuration file with ${amount(changes.length, "change")}, which /audit lists`;
    await announceSetupChange(context, tx, { guildId, kind: "links", userId: operator, what });
  });
  return { changes: lines, digest };
}

function findUnlinked(stored: StoredConfig, { channels = [], rooms = [] }: ServerConfig) {
  const linked = stored.channels.map(({ channelId }) => channelId);
  const message = `is not linked to this server, which is linked to ${linked.join(", ")}`;
  const ofChannels = channels.flatMap(({ channelId }, index) =>
    linked.includes(channelId) ? [] : [{ path: ["channels", index, "channel"], message, at: undefined }],
  );
  const ofRooms = rooms.flatMap(({ roomId, feeds }, index) => {
    // A feed may still name a channel that was unlinked since.
    const known = stored.rooms.find((room) => room.roomId === roomId)?.feeds ?? [];
    const allowed = new Set([...linked, ...known.flatMap(({ channelIds }) => channelIds ?? [])]);
    return feeds.flatMap(({ channelIds }, feed) =>
      (channelIds ?? []).flatMap((channelId, place) =>
        allowed.has(channelId)
          ? []
          : [{ path: ["rooms", index, "feeds", feed, "channels", place], message, at: undefined }],
      ),
    );
  });
  return [...ofChannels, ...ofRooms];
}

/** The role that every member has is called everyone here. */
function findOwnRole(guildId: string, { channels = [] }: ServerConfig) {
  return channels.flatMap(({ roles }, index) =>
    roles.flatMap(({ roleId }, role) =>
      roleId === guildId
        ? [{ path: ["channels", index, "roles", role, "role"], message: "write everyone", at: undefined }]
        : [],
    ),
  );
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
