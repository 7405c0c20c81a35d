import type { Actor, BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import type { Requester, CallOptions, UnreadableEvent } from "../contract/endpoint.ts";
import type { Network } from "../contract/index.ts";
import { pages } from "../contract/pages.ts";
import { AppError } from "../errors.ts";
import { findChannelLately } from "./find-target.ts";
import { recall, serverRequester } from "./known-rights.ts";
import { readProvenFids } from "./proofs/staff-proofs.ts";

/** Owner and moderators, each once. */
export function staffOf(channel: Pick<Channel, "leadFid" | "moderatorFids">): number[] {
  const { leadFid, moderatorFids } = channel;
  return [...new Set(leadFid === undefined ? moderatorFids : [leadFid, ...moderatorFids])];
}

/** The person to look up: a Discord user in a server. */
type Person = Pick<Actor, "guildId" | "userId">;
type ChannelStaff = Pick<Channel, "id" | "leadFid" | "moderatorFids">;

/** Somebody's rights in a channel, by the network. */
export interface StaffRight {
  /** Undefined if the network no longer has the channel. */
  channel: Channel | undefined;
  /** The fid with which they own or moderate it. */
  staffFid: number | undefined;
}

/** With a network in this process, more channels or people than this are read from one listing. */
export const maxSingleReads = 10;

/**
 * A server member's role in each of these channels, as the network shows it, at most a minute old on the live network. An
 * error stands for an unreadable channel.
 */
export async function findStaffRights(
  context: BotContext,
  person: Person,
  channelIds: readonly string[],
): Promise<Map<string, StaffRight | AppError>> {
  // The channels are linked, so the network is asked at most once a minute for all requesters.
  const by = serverRequester(person.guildId);
  const read = await readChannels(context, channelIds, (channelId) =>
    findChannelLately(context, channelId, by),
  );
  const channels = [...read.values()].flatMap((one) => (one && !(one instanceof AppError) ? [one] : []));
  const fids = await findStaffFids(context, channels, person, by);
  return new Map(
    [...read].map(([channelId, channel]) => {
      if (channel instanceof AppError) return [channelId, channel];
      const staffFid = fids.get(channelId);
      return [channelId, staffFid instanceof AppError ? staffFid : { channel, staffFid }];
    }),
  );
}

/** The network's records of these channels; an error for an unreadable one. `readOne` reads a single record. */
export async function readChannels(
  context: BotContext,
  channelIds: readonly string[],
  readOne: (channelId: string) => Promise<Channel | undefined>,
): Promise<Map<string, Channel | AppError | undefined>> {
  if (context.live || channelIds.length <= maxSingleReads) {
    return mapAll(channelIds, (channelId) => readOne(channelId).catch(requireAppError));
  }
  const { channels } = await context.network.channels.all({});
  const known = new Map(channels.map((channel) => [channel.id, channel]));
  return new Map(channelIds.map((channelId) => [channelId, known.get(channelId)]));
}

/**
 * The fid with which a Discord user owns or moderates the channel: they proved it here, for this server, or one of its
 * staff has verified that Discord account, by a reading at most a minute old on the live network. Throws if the
 * verifications cannot be read, or one that may be theirs.
 */
export async function findStaffFid(
  context: BotContext,
  channel: ChannelStaff,
  person: Person,
): Promise<number | undefined> {
  const found = (await findStaffFids(context, [channel], person)).get(channel.id);
  if (found instanceof AppError) throw found;
  return found;
}

/** The same for several channels. `by`: the requester on whose behalf the network is asked, if not the person. */
async function findStaffFids(
  context: BotContext,
  channels: readonly ChannelStaff[],
  { guildId, userId }: Person,
  by?: Requester,
): Promise<Map<string, number | AppError | undefined>> {
  if (channels.length === 0) return new Map();
  const proven = await readProvenFids(context, guildId, userId);
  const found = new Map<string, number | AppError | undefined>();
  const staffByChannel = new Map<string, number[]>();
  for (const channel of channels) {
    const staff = staffOf(channel).filter((fid) => fid !== context.botFid);
    const fid = proven.get(channel.id);
    if (fid !== undefined && staff.includes(fid)) found.set(channel.id, fid);
    else staffByChannel.set(channel.id, staff);
  }
  const holds = await readHolders(context, new Set([...staffByChannel.values()].flat()), userId, by);
  for (const [channelId, staff] of staffByChannel) {
    const fid = staff.find((one) => holds.get(one) === true);
    const error = staff.map((one) => holds.get(one)).find((one) => one instanceof AppError);
    found.set(channelId, fid ?? error);
    if (fid !== undefined) context.live?.budget.askers.noteStaff(guildId, userId);
  }
  return found;
}

/** Whether each of these fids has verified the Discord account; an error if that cannot be read. */
async function readHolders(
  context: BotContext,
  fids: ReadonlySet<number>,
  userId: string,
  by?: Requester,
): Promise<Map<number, boolean | AppError>> {
  if (!context.live && fids.size > maxSingleReads) {
    const listed = await listVerifiedFids(context.network, userId);
    if (listed.isWhole) return new Map([...fids].map((fid) => [fid, listed.fids.includes(fid)]));
  }
  return mapAll([...fids], (fid) => readHolder(context, fid, userId, by).catch(requireAppError));
}

async function readHolder(
  context: BotContext,
  fid: number,
  userId: string,
  by?: Requester,
): Promise<boolean | AppError> {
  const { holders, unreadable } = await recall(context, `holders ${fid}`, async () => {
    let skipped: UnreadableEvent | undefined;
    const options: CallOptions = { onUnreadable: (row) => (skipped = row), ...(by && { by }) };
    const asked = { fid, platform: "discord" } as const;
    const { result } = await context.network.accountVerifications.list(asked, options);
    return { holders: result.verifications.map(({ platformId }) => platformId), unreadable: skipped };
  });
  if (holders.includes(userId) || !unreadable) return holders.includes(userId);
  return new AppError(
    "network_failed",
    `The network shows a verified account that Castellan cannot read (${unreadable.reason}).`,
  );
}

/** How many pages of verifications are searched for a Discord account. */
const maxPages = 10;

/** The fids that have verified a Discord account, among the newest verifications; `isWhole`: these were all. */
export async function listVerifiedFids(
  network: Network,
  userId: string,
): Promise<{ fids: number[]; isWhole: boolean }> {
  const fids: number[] = [];
  let read = 0;
  const listing = { platform: "discord", limit: 1000 } as const;
  for await (const { verifications } of pages(network.accountVerifications.list, listing)) {
    if (++read > maxPages) return { fids, isWhole: false };
    fids.push(...verifications.filter(({ platformId }) => platformId === userId).map(({ fid }) => fid));
  }
  return { fids, isWhole: true };
}

async function mapAll<Key, Value>(
  keys: readonly Key[],
  read: (key: Key) => Promise<Value>,
): Promise<Map<Key, Value>> {
  return new Map(await Promise.all(keys.map(async (key): Promise<[Key, Value]> => [key, await read(key)])));
}

/** Rethrows errors that are not meant for people. */
function requireAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** Whether the operator lets this server link the channel without further proof. */
export function isAllowedByOperator({ settings }: BotContext, guildId: string, channelId: string): boolean {
  return settings.channelGuilds().get(channelId)?.has(guildId) ?? false;
}

/** Linking needs Manage Server in the server, whatever the person's role in the channel. Throws `not_allowed`. */
export function requireManager({ managesServer }: Actor, channelId: string): void {
  if (managesServer) return;
  throw new AppError(
    "not_allowed",
    `Linking a channel takes Discord's "Manage Server" permission here, as well as the proof that you own or moderate ${channelId}. Ask somebody who manages this server for a role with it.`,
  );
}
