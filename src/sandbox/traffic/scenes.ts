import { privateKeyToAccount } from "viem/accounts";
import { seconds, type Clock } from "../../clock.ts";
import type { Network, Operator } from "../../contract/index.ts";
import { describeClaim, liveNameDomain, type NameClaim } from "../../contract/name-claim.ts";
import type { Log } from "../../log.ts";
import { createAccount, type SandboxAccount } from "../sample/accounts.ts";
import { firstResidentFid, outsideModeratorFid } from "../sample/personas.ts";
import {
  gardenTalk,
  marketTalk,
  memeTalk,
  nameWords,
  replies,
  spamNames,
  spamTalk,
} from "../sample/phrases.ts";

/** The state of the sample network's traffic. Everything goes over HTTP, like other people's apps. */
export interface TrafficContext {
  /** The network as one of its users, with that user's own key. */
  as(account: SandboxAccount): Network;
  operator: Operator;
  /** From now on their casts are signed with their application's key. */
  holdKey(account: SandboxAccount): void;
  accounts: readonly SandboxAccount[];
  clock: Clock;
  log: Log;
  /** Casts and newcomers since the traffic started, which later scenes build on. */
  memory: {
    /** Hashes of the latest root casts, newest first. */
    casts: string[];
    /** Newcomers who have a name; `since` in UNIX seconds. */
    visitors: { account: SandboxAccount; name: string; since: number }[];
  };
  /** 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** Waits; rejects when the traffic stops. */
  pause(milliseconds: number): Promise<void>;
}

/** One action in the traffic. */
export type Scene = (context: TrafficContext) => Promise<void>;

const talk = { garden: gardenTalk, "night-market": marketTalk, memes: memeTalk } as const;
const talkative = Object.keys(talk) as (keyof typeof talk)[]; // The keys of the literal above.

/** A member casts into one of the channels. */
export async function castSomething(context: TrafficContext): Promise<void> {
  const channelId = pickOne(context, talkative);
  const author = await pickMember(context, channelId);
  if (!author) return;
  const text = pickOne(context, talk[channelId]);
  const { hash } = await context.operator.cast({
    fid: author.fid,
    text,
    channelId,
    embeds: picturesOf(text),
  });
  context.memory.casts = [hash, ...context.memory.casts].slice(0, 12);
}

/** Nobody loads them: the page shows where a picture is. */
function picturesOf(text: string): { url: string }[] {
  const subjects = text.match(/lanterns|compass|moonflowers|hawk moth/i) ?? [];
  return subjects.map((subject) => ({ url: `https://pictures.example/${subject.replace(" ", "-")}.jpg` }));
}

/** Somebody replies to a recent cast. */
export async function replyToSomething(context: TrafficContext): Promise<void> {
  if (context.memory.casts.length === 0) return castSomething(context);
  await context.operator.cast({
    fid: pickOne(context, residentsOf(context)).fid,
    text: pickOne(context, replies),
    parentHash: pickOne(context, context.memory.casts),
  });
}

/** Somebody follows a channel, or stops following it. */
export async function followOrLeave(context: TrafficContext): Promise<void> {
  const account = pickOne(context, residentsOf(context));
  const network = context.as(account);
  const channelId = pickOne(context, ["garden", "night-market", "memes", "kitchen"]);
  const { following } = await network.channelFollows.status({ fid: account.fid, channelId });
  if (following) await network.channelFollows.unfollow({ channelId });
  else await network.channelFollows.follow({ channelId });
}

/** The outside moderator invites a follower of `night-market`, who accepts or declines. */
export async function inviteFollower(context: TrafficContext): Promise<void> {
  const moderator = findOutsideModerator(context);
  if (!moderator) return;
  const channelId = "night-market";
  const network = context.as(moderator);
  const [followers, members, bans] = await Promise.all([
    network.channels.followers({ channelId }),
    network.channelMembers.list({ channelId }),
    network.channelBans.list({ channelId }),
  ]);
  const settled = new Set([...members.result.members, ...bans.result.bannedUsers].map(({ fid }) => fid));
  const outside = new Set(followers.result.users.map(({ fid }) => fid).filter((fid) => !settled.has(fid)));
  const candidates = context.accounts.filter(({ fid }) => outside.has(fid) && fid > outsideModeratorFid);
  if (candidates.length === 0) return;
  const invitee = pickOne(context, candidates);
  await network.channelInvites.invite({ channelId, inviteFid: invitee.fid, role: "member" });
  await context.pause(12_000);
  const accept = context.random() < 0.7;
  await context.as(invitee).channelInvites.answer({ channelId, role: "member", accept });
}

/** A new account casts the same lure repeatedly, which triggers the sample rules of `night-market`. */
export async function spamTheMarket(context: TrafficContext): Promise<void> {
  const newcomer = await createNewcomer(context);
  const { fid, custodyAddress, appPublicKey } = newcomer;
  const username = `${pickOne(context, spamNames)}-${pickOne(context, spamNames)}-${fid % 1000}`.slice(0, 16);
  await context.operator.importNetwork({
    accounts: [{ fid, custodyAddress, username, appKeys: [appPublicKey] }],
  });
  for (const text of spamTalk) {
    await context.operator.cast({ fid, text, channelId: "night-market" });
    await context.pause(6000);
  }
}

/** The outside moderator hides a cast without Castellan, which appears as an outside action in the feed. */
export async function hideFromOutside(context: TrafficContext): Promise<void> {
  const moderator = findOutsideModerator(context);
  const author = pickOne(
    context,
    context.accounts.filter(({ fid }) => fid > outsideModeratorFid),
  );
  if (!moderator) return;
  const { hash } = await context.operator.cast({
    fid: author.fid,
    text: "Buy two get one free, today only, not a stall of this market!",
    channelId: "night-market",
  });
  await context.pause(5000);
  await context.as(moderator).moderatedCasts.moderate({ castHash: hash, action: "hide" });
}

/** A newcomer registers a name. One time in four, an earlier newcomer gives up theirs. */
export async function registerOrRelease(context: TrafficContext): Promise<void> {
  const { visitors } = context.memory;
  const [leaver] = visitors.length > 3 && context.random() < 0.25 ? visitors : [];
  // A name can be transferred only once a second.
  if (leaver && seconds(context.clock) > leaver.since) {
    visitors.shift();
    await transferName(context, leaver.account, leaver.name, { from: leaver.account.fid, to: 0 });
    return;
  }
  const account = await createNewcomer(context);
  const { fid, custodyAddress, appPublicKey } = account;
  const [first, second] = nameWords;
  const name = `${pickOne(context, first)}-${pickOne(context, second)}-${fid % 1000}`.slice(0, 16);
  await context.operator.importNetwork({ accounts: [{ fid, custodyAddress, appKeys: [appPublicKey] }] });
  await transferName(context, account, name, { from: 0, to: fid });
  visitors.push({ account, name, since: seconds(context.clock) });
}

async function transferName(
  context: TrafficContext,
  account: SandboxAccount,
  name: string,
  parties: { from: number; to: number },
): Promise<void> {
  const claim: NameClaim = {
    name,
    owner: account.custodyAddress.toLowerCase() as `0x${string}`, // Lower-casing a hex string keeps its type.
    timestamp: seconds(context.clock),
  };
  const wallet = privateKeyToAccount(account.custodyKey);
  const network = context.as(account);
  const { domain = liveNameDomain } = await network.registryInfo.signer({});
  const signature = await wallet.signTypedData(describeClaim(domain, claim));
  await network.transfers.create({ ...claim, ...parties, fid: account.fid, signature });
}

async function createNewcomer(context: TrafficContext): Promise<SandboxAccount> {
  const newcomer = await createAccount(100_000 + Math.floor(context.random() * 2_000_000_000), "");
  context.holdKey(newcomer);
  return newcomer;
}

function residentsOf({ accounts }: TrafficContext): SandboxAccount[] {
  return accounts.filter(({ fid }) => fid >= firstResidentFid);
}

function findOutsideModerator({ accounts }: TrafficContext): SandboxAccount | undefined {
  return accounts.find(({ fid }) => fid === outsideModeratorFid);
}

function pickOne<T>(context: TrafficContext, items: readonly T[]): T {
  const item = items[Math.floor(context.random() * items.length)];
  if (item === undefined) throw new RangeError("nothing to pick from");
  return item;
}

/** A resident who is a member of the channel. */
async function pickMember(context: TrafficContext, channelId: string): Promise<SandboxAccount | undefined> {
  const residents = residentsOf(context);
  const [anybody] = residents;
  if (!anybody) return undefined;
  const page = await context.as(anybody).channelMembers.list({ channelId });
  const members = new Set(page.result.members.map(({ fid }) => fid));
  const inside = residents.filter(({ fid }) => members.has(fid));
  return inside.length > 0 ? pickOne(context, inside) : undefined;
}
