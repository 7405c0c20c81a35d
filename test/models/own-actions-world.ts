import type { Network } from "../../src/contract/index.ts";
import type { ChannelEvent } from "../../src/contract/channel-events.ts";
import { AppError } from "../../src/errors.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import type { CaseKind } from "../../src/moderation/cases/case.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { eventsSource } from "../../src/observe/live/current-plan.ts";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { pollRecords } from "../../src/observe/records/poll-records.ts";
import { followLinks } from "../../src/observe/sources.ts";
import { applyOpenCases } from "../support/jobs.ts";
import { linkGuild, people, seedChannel, type World } from "../support/world.ts";
import { show, tell, type Shown } from "./own-actions-readings.ts";

/** What a channel shows of one target: whether a user is banned or invited, a cast is hidden, or which cast is pinned. */
export type Aspect = "ban" | "invite" | "pin" | "record";

/** What can be done: `other` is a pin of the second cast, and the same as `begin` elsewhere. */
export type Doing = "begin" | "end" | "other";

const kinds: Record<Aspect, { begin: CaseKind; end: CaseKind }> = {
  ban: { begin: "ban", end: "unban" },
  invite: { begin: "invite", end: "revoke_invite" },
  pin: { begin: "pin", end: "unpin" },
  record: { begin: "hide", end: "unhide" },
};

/** A network in which one target is acted on by us and by others, and is read by two sources. */
export interface Scene {
  bot: World;
  aspect: Aspect;
  guildId: string;
  channelId: string;
  fid: number;
  casts: readonly [string, string];
  /** Each change that the network made, oldest first: the state that it led to, and who made it. */
  changes: { state: string; by: "us" | "others" }[];
  /** The network's channel events, oldest first. */
  log: ChannelEvent[];
  /** Cases of which a call may have got to the network. */
  called: Set<number>;
  reading: { go: () => void; done: Promise<void> } | undefined;
  /** What a listing shows that does not know our last call yet. */
  stale: { shown: Shown; atMs: number } | undefined;
  /** A process died with a case in its hands. */
  isHeld: boolean;
  by: Sources;
}

/**
 * By what the channel is known: what it shows, its events, or both. Where there are both, they are compared by the times of changes,
 * so these are a while apart, and our clock is right.
 */
export type Sources = "listings" | "events" | "both";

/** `ahead`: by how many seconds our clock is ahead of the network's. */
export async function openScene(
  plain: World,
  aspect: Aspect,
  number: number,
  { by, ahead }: { by: Sources; ahead: number },
): Promise<Scene> {
  const [guildId, channelId] = [`own${number}`, `own-${aspect}-${number}`];
  await seedChannel(plain, channelId, guildId);
  await linkGuild(plain, channelId, `${guildId}b`);
  const fid = 100_000 + number;
  await plain.net.seed.account(fid);
  await plain.net.as(fid).channelFollows.follow({ channelId });
  const seedCast = () => plain.net.seed.cast({ fid, channelId });
  const casts = [await seedCast(), await seedCast()] as const;
  const { clock } = plain;
  const bot: World = { ...plain, clock: { ...clock, now: () => clock.now() + ahead * 1000 } };
  const scene: Scene = {
    bot,
    by,
    aspect,
    guildId,
    channelId,
    fid,
    casts,
    changes: [],
    log: [],
    called: new Set(),
    reading: undefined,
    stale: undefined,
    isHeld: false,
  };
  await followLinks(bot);
  // Those before were told of by events.
  if (by === "listings")
    await bot.database.query.deleteFrom("castellan.sources").where("source", "=", eventsSource).execute();
  await tell(scene);
  await pollListings(bot, channelId);
  await pollRecords(bot, channelId);
  return scene;
}

/** What the network shows of the target; empty where nothing stands. */
export async function stateOf({ bot, aspect, channelId, fid, casts }: Scene): Promise<string> {
  const { net } = bot;
  if (aspect === "ban") {
    const { result } = await net.public.channelBans.list({ channelId, fid });
    return result.bannedUsers.length > 0 ? "ban" : "";
  }
  if (aspect === "invite") {
    const { result } = await net.public.channelInvites.list({ channelId, fid });
    return result.invites.length > 0 ? "invite" : "";
  }
  if (aspect === "pin") {
    return (await net.public.channels.get({ channelId })).channel.pinnedCastHash ?? "";
  }
  return (await net.api.operator.readCast({ hash: casts[0] })).hiddenByModeration ? "hide" : "";
}

/** Does something to the network, and writes down what that changed. */
async function witness<Result>(
  scene: Scene,
  by: "us" | "others",
  work: () => Promise<Result>,
): Promise<Result> {
  const before = await stateOf(scene);
  const result = await work();
  const state = await stateOf(scene);
  if (state !== before) {
    scene.changes.push({ state, by });
    scene.log.push(toLogged(scene, before, state));
  }
  return result;
}

function toLogged(scene: Scene, before: string, state: string): ChannelEvent {
  const { bot, aspect, channelId, fid, casts, log } = scene;
  const ts = bot.net.context.clock.now();
  const base = { eventId: `${channelId}-${log.length}`, ts, channelId };
  const isBegun = state !== "";
  switch (aspect) {
    case "ban":
      return { ...base, type: "role-changed", fid, role: isBegun ? "banned" : "restricted" };
    case "invite":
      return { ...base, type: isBegun ? "invite-created" : "invite-revoked", fid, role: "member" };
    case "pin":
      return isBegun
        ? { ...base, type: "cast-pinned", castHash: state, castFid: fid, notifyFollowers: false }
        : { ...base, type: "cast-unpinned", castHash: before, castFid: fid };
    case "record":
      return { ...base, type: isBegun ? "cast-hidden" : "cast-unhidden", castHash: casts[0], castFid: fid };
  }
}

function keepApart({ by, bot }: Scene): void {
  if (by === "both") bot.clock.advance(61);
}

/** Another moderator does it on the network. */
export async function byOthers(scene: Scene, doing: Doing): Promise<void> {
  const { bot, aspect, channelId, fid, casts } = scene;
  const as = bot.net.as(people.owner);
  const isEnd = doing === "end";
  keepApart(scene);
  scene.stale = undefined;
  await witness(scene, "others", async () => {
    const role = "member" as const;
    switch (aspect) {
      case "ban":
        return isEnd
          ? as.channelBans.unban({ channelId, unbanFid: fid })
          : as.channelBans.ban({ channelId, banFid: fid });
      case "invite":
        return isEnd
          ? as.channelInvites.remove({ channelId, removeFid: fid, role })
          : as.channelInvites.invite({ channelId, inviteFid: fid, role });
      case "pin":
        return isEnd
          ? as.pinnedCasts.unpin({ channelId })
          : as.pinnedCasts.pin({ castHash: casts[doing === "other" ? 1 : 0], notifyChannelFollowers: false });
      case "record":
        return as.moderatedCasts.moderate({ castHash: casts[0], action: isEnd ? "unhide" : "hide" });
    }
  });
}

/** How a call of ours goes. */
export interface CallFate {
  /** What comes back instead of an answer, before or after the network does what it is asked. */
  error?: AppError;
  when?: "before" | "after";
  /** The process dies there, and nothing comes back. */
  dies?: "before" | "after";
  /** What happens while the call is under way. */
  before: () => Promise<void>;
  after: () => Promise<void>;
}

/** We do it; the case stays requested where the fate of its call says so. */
export async function act(scene: Scene, doing: Doing, fate: CallFate): Promise<void> {
  // Nobody else may work on the target before the lease of a dead process is over.
  if (scene.isHeld) scene.bot.clock.advance(121);
  scene.isHeld = false;
  keepApart(scene);
  const { bot, aspect, guildId, channelId, fid, casts } = scene;
  const kind = kinds[aspect][doing === "end" ? "end" : "begin"];
  const about =
    aspect === "ban" || aspect === "invite"
      ? { targetFid: fid, ...(aspect === "invite" && { role: "member" as const }) }
      : { targetCast: casts[doing === "other" && aspect === "pin" ? 1 : 0] };
  const proposal = { guildId, channelId, actor: { userId: "100" }, kind, ...about };
  const { id } = await bot.database.transaction((tx) =>
    proposeCase(
      tx,
      bot.clock,
      doing === "end" && aspect === "pin" ? { ...proposal, targetCast: undefined } : proposal,
    ),
  );
  await withCalls(scene, id, fate, (network) => applyCase({ ...bot, network }, id));
}

/** What was left open goes on, all of which now works. */
export async function goOn(scene: Scene): Promise<void> {
  await withCalls(scene, undefined, peaceful, (network) => applyOpenCases({ ...scene.bot, network }));
}

/** The network cannot be reached until every open case has used up its tries. */
export async function giveUp(scene: Scene): Promise<void> {
  const { bot } = scene;
  const fail = async (): Promise<never> => {
    throw new AppError("network_unreachable", "Nobody listens.");
  };
  const silent = <Group extends object>(group: Group): Group => new Proxy(group, { get: () => fail });
  const network = new Proxy(bot.network, { get: (target, name) => silent(Reflect.get(target, name)) });
  for (let tries = 0; tries < 8; tries += 1) {
    bot.clock.advance(301);
    await applyOpenCases({ ...bot, network });
  }
  scene.isHeld = false;
}

const peaceful: CallFate = { before: async () => {}, after: async () => {} };

/** `caseId`: whose calls have this fate; those of others go well. */
async function withCalls(
  scene: Scene,
  caseId: number | undefined,
  fate: CallFate,
  work: (network: Network) => Promise<unknown>,
): Promise<void> {
  const { bot } = scene;
  let died = () => {};
  const death = new Promise<void>((resolve) => (died = resolve));
  const hang = (): Promise<never> => {
    scene.isHeld = true;
    died();
    return new Promise(() => {});
  };
  const sent = async (): Promise<number | undefined> => {
    const row = await bot.database.query
      .selectFrom("castellan.cases")
      .select("id")
      .where("channel_id", "=", scene.channelId)
      .where("state", "=", "requested")
      .orderBy("id")
      .executeTakeFirst();
    return row?.id;
  };
  const fated =
    <Input, Result>(call: (input: Input) => Promise<Result>) =>
    async (input: Input): Promise<Result> => {
      const id = await sent();
      const own = id === caseId ? fate : peaceful;
      await own.before();
      const isLost = own.error instanceof AppError && own.error.mayHaveHappened;
      if (id !== undefined && (own.dies || isLost)) scene.called.add(id);
      if (own.dies === "before") return hang();
      if (own.error && own.when === "before") throw own.error;
      const shown = await show(scene);
      const result = await witness(scene, "us", () => call(input));
      if (id !== undefined) scene.called.add(id);
      scene.stale = { shown, atMs: bot.net.context.clock.now() };
      await own.after();
      if (own.dies === "after") return hang();
      if (own.error) throw own.error;
      return result;
    };
  const { channelBans, channelInvites, pinnedCasts, moderatedCasts } = bot.network;
  const network: Network = {
    ...bot.network,
    channelBans: { ...channelBans, ban: fated(channelBans.ban), unban: fated(channelBans.unban) },
    channelInvites: {
      ...channelInvites,
      invite: fated(channelInvites.invite),
      remove: fated(channelInvites.remove),
    },
    pinnedCasts: { ...pinnedCasts, pin: fated(pinnedCasts.pin), unpin: fated(pinnedCasts.unpin) },
    moderatedCasts: { ...moderatedCasts, moderate: fated(moderatedCasts.moderate) },
  };
  await Promise.race([work(network), death]);
}
