import { stringify } from "yaml";
import { z } from "zod";
import { taskFileLimit } from "../contract/operator.ts";
import { asAppError } from "../errors.ts";
import { feedKinds } from "../feed/feed-kinds.ts";
import type { NewFeed } from "../feed/feeds.ts";
import { maxTemplateLength, readTemplate } from "../feed/notices/notice-template.ts";
import { audiences, readQuietHours, showHours, type RoomSettings } from "../feed/room-settings.ts";
import { languageCodes, type Language } from "../languages/languages.ts";
import { capabilities, type Capability } from "../moderation/capabilities.ts";
import { maxSavedReason, maxSavedReasons, type SavedReason } from "../moderation/saved-reasons.ts";
import { durationBetween } from "../rules/language/duration.ts";
import { explainIssue, listFaults, type Fault } from "../rules/language/explain-issue.ts";
import { locate } from "../rules/language/parse-rules.ts";
import { readSource } from "../rules/language/read-source.ts";
import { formatExactDuration } from "../text/duration.ts";
import { readTimeZone } from "../text/time-zone.ts";

/** A server's configuration as a file has it. A section that the file leaves out is undefined. */
export interface ServerConfig {
  /** In which typed times are read. */
  timeZone?: string | undefined;
  channels?: ChannelConfig[] | undefined;
  savedReasons?: SavedReason[] | undefined;
  rooms?: RoomConfig[] | undefined;
  /** The rule file, with its lists. */
  rules?: string | undefined;
}

export interface ChannelConfig {
  channelId: string;
  roles: { roleId: string; capabilities: Capability[] }[];
  /** The template of the message to banned people and authors of hidden casts. */
  message?: string | undefined;
  /** The template's language; English if absent. */
  messageLanguage?: Language | undefined;
  /** Discord ids of members whose reports are ignored. */
  ignoredReporters: string[];
}

export interface RoomConfig {
  roomId: string;
  settings: RoomSettings;
  feeds: FeedConfig[];
}

export type FeedConfig = Pick<NewFeed, "channelIds" | "kinds" | "namePattern" | "peopleOnly">;

/** In place of the id of the role that every member has, which is the server's own. */
export const everyone = "everyone";

const idMessage = "must be a Discord id in quotes";
const Id = z.string({ error: idMessage }).regex(/^[0-9]{1,20}$/, idMessage);

/** Reads a value with a function whose `AppError` is the mistake. */
const readWith =
  <Input, Output>(read: (input: Input) => Output) =>
  (input: Input, context: z.RefinementCtx): Output => {
    try {
      return read(input);
    } catch (error) {
      const message = asAppError(error)?.message;
      if (message === undefined) throw error;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
  };

/** A list in which no two entries have the same key. */
const listOf = <Item extends z.ZodType>(item: Item, keyOf: (one: z.output<Item>) => string, key?: string) =>
  z.array(item).superRefine((items, context) => {
    const seen = new Set<string>();
    for (const [index, one] of items.entries()) {
      if (seen.size === seen.add(keyOf(one)).size) {
        const path = key === undefined ? [index] : [index, key];
        context.addIssue({ code: "custom", path, message: "is there twice" });
      }
    }
  });

/** Some of the known values, in their usual order. */
const someOf = <Value extends string>(values: readonly Value[]) =>
  z
    .array(z.enum(values))
    .min(1)
    .transform((chosen) => values.filter((value) => chosen.includes(value)));

const Role = z
  .strictObject({
    role: z.union([z.literal(everyone), Id], { error: `${idMessage}, or ${everyone}` }),
    may: someOf(capabilities),
  })
  .transform(({ role: roleId, may }) => ({ roleId, capabilities: may }));

const Channel = z
  .strictObject({
    channel: z.string(),
    roles: listOf(Role, ({ roleId }) => roleId, "role").default([]),
    message: z.string().max(maxTemplateLength).transform(readWith(readTemplate)).optional(),
    message_language: z.enum(languageCodes).optional(),
    ignored_reporters: listOf(Id, (id) => id).default([]),
  })
  .refine(({ message, message_language: language }) => message !== undefined || language === undefined, {
    path: ["message_language"],
    error: "needs a message, written in that language",
  })
  .transform(({ channel: channelId, message_language, ignored_reporters: ignoredReporters, ...rest }) => ({
    channelId,
    ...rest,
    messageLanguage: message_language,
    ignoredReporters,
  }));

const SavedReason = z
  .strictObject({
    reason: z.string().trim().min(1).max(maxSavedReason),
    ban: durationBetween("1m", "3650d").optional(),
  })
  .transform(({ reason, ban }) => ({ reason, forSeconds: ban?.seconds ?? null }));

const Feed = z
  .strictObject({
    kinds: someOf(feedKinds),
    channels: z.array(z.string()).min(1).optional(),
    names: z.string().max(40).optional(),
    members_only: z.boolean().default(false),
  })
  .transform(({ kinds, channels = null, names = null, members_only: peopleOnly }) => ({
    kinds,
    channelIds: channels,
    namePattern: names,
    peopleOnly,
  }));

const Room = z
  .strictObject({
    room: Id,
    mention: z.strictObject({ role: Id, kinds: someOf(feedKinds) }).optional(),
    digest: durationBetween("5m", "24h").optional(),
    quiet: z
      .strictObject({ hours: z.string(), zone: z.string() })
      .transform(readWith(({ hours, zone }) => readQuietHours(hours, zone)))
      .optional(),
    language: z.enum(languageCodes).default("en-US"),
    look: z.enum(audiences).default("desk"),
    feeds: listOf(Feed, (feed) => JSON.stringify(feed)).min(1),
  })
  .transform(({ room: roomId, mention = null, digest, quiet = null, language, look, feeds }) => ({
    roomId,
    settings: {
      mention,
      digestSeconds: digest?.seconds ?? null,
      quiet,
      language,
      forReaders: look === "readers",
    },
    feeds,
  }));

const ConfigFile = z
  .strictObject({
    version: z.literal(1),
    time_zone: z.string().transform(readWith(readTimeZone)).optional(),
    channels: listOf(Channel, ({ channelId }) => channelId, "channel").optional(),
    saved_reasons: listOf(SavedReason, ({ reason }) => reason, "reason")
      .refine((reasons) => reasons.length <= maxSavedReasons, `are more than ${maxSavedReasons}`)
      .optional(),
    rooms: listOf(Room, ({ roomId }) => roomId, "room").optional(),
    rules: z.string().optional(),
  })
  .transform(
    ({ time_zone: timeZone, channels, saved_reasons: savedReasons, rooms, rules }): ServerConfig => ({
      timeZone,
      channels,
      savedReasons,
      rooms,
      rules,
    }),
  );

/** Reads a file. Throws `invalid_file` with every mistake, its line and path. */
export function parseConfigFile(text: string) {
  const source = readSource(text, { subject: "The configuration has", maxBytes: taskFileLimit });
  const read = ConfigFile.safeParse(source.value, { error: explainIssue });
  const refuse = (faults: readonly Fault[]) =>
    source.errorAt(faults.map((fault) => locate(source, [], fault)));
  if (!read.success) throw refuse(listFaults(read.error));
  return { config: read.data, refuse };
}

/** The same configuration always gives the same file, whatever the order of its parts. */
export function writeConfigFile({
  timeZone,
  channels = [],
  savedReasons = [],
  rooms = [],
  rules,
}: ServerConfig): string {
  const file = {
    version: 1,
    time_zone: timeZone,
    channels: inOrder(channels, ({ channelId }) => channelId).map(
      ({ channelId, roles, message, messageLanguage, ignoredReporters }) => ({
        channel: channelId,
        roles: inOrder(roles, ({ roleId }) => roleId).map(({ roleId, capabilities: may }) => ({
          role: roleId,
          may,
        })),
        message,
        message_language: messageLanguage,
        ignored_reporters: ignoredReporters.toSorted(),
      }),
    ),
    saved_reasons: inOrder(savedReasons, ({ reason }) => reason).map(({ reason, forSeconds }) => ({
      reason,
      ban: forSeconds === null ? undefined : formatExactDuration(forSeconds),
    })),
    rooms: inOrder(rooms, ({ roomId }) => roomId).map(({ roomId, settings, feeds }) => ({
      room: roomId,
      ...writeSettings(settings),
      feeds: feeds.map(({ kinds, channelIds, namePattern, peopleOnly }) => ({
        kinds,
        channels: channelIds ?? undefined,
        names: namePattern ?? undefined,
        members_only: peopleOnly || undefined,
      })),
    })),
    rules,
  };
  return stringify(file, { lineWidth: 0, aliasDuplicateObjects: false, blockQuote: "literal" });
}

function writeSettings({ mention, digestSeconds, quiet, language, forReaders }: RoomSettings) {
  return {
    mention: mention ?? undefined,
    digest: digestSeconds === null ? undefined : formatExactDuration(digestSeconds),
    quiet: quiet ? { hours: showHours(quiet), zone: quiet.zone } : undefined,
    language: language === "en-US" ? undefined : language,
    look: forReaders ? "readers" : undefined,
  };
}

/** By code points, so that the order does not depend on the database. */
function inOrder<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return items.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}
