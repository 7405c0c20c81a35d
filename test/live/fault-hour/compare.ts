import { sql } from "kysely";
import type { Row } from "../live-channels.ts";
import { botFid } from "../../support/world.ts";
import { linkedChannels, room, type Scene } from "./open-scene.ts";
import type { HubTruth } from "./traffic.ts";

/** What became of everything that happened. */
export interface Account {
  sent: number;
  told: number;
  missing: string[];
  twice: string[];
  /** Events that no hub can give any more, within a gap that was told. */
  goneAndTold: number;
  /** Casts that their authors took away before it was known where they belong, and that they did. */
  takenBack: number;
  /** Told, though it never happened. */
  invented: string[];
}

/** What happened, by what a teller of it would say. */
interface Truth {
  key: string;
  /** UNIX seconds. */
  at: number;
  /** Sources whose gap may cover it. */
  sources: string[];
  /** The hash of what a cast answers. */
  parent?: string | undefined;
}

/** Compares the doubles' own account of what happened with the events that the bot stored, and with what the room shows. */
export async function compareTold(
  scene: Scene,
  merged: readonly HubTruth[],
  since: number,
): Promise<Account> {
  const rows = await scene.observer.context.database.query
    .selectFrom("castellan.events")
    .select([
      "id",
      "kind",
      "channel_id",
      "subject_fid",
      "occurred_at",
      sql<Record<string, unknown>>`data`.as("data"),
    ])
    .orderBy("id")
    .execute();
  const told = new Map<string, number>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== undefined) told.set(key, (told.get(key) ?? 0) + 1);
  }
  const toldKeys = new Set(told.keys());
  const removed = new Set(
    merged.flatMap(({ key }) => (key.startsWith("cast.removed ") ? [key.slice(13)] : [])),
  );
  const gaps = rows.flatMap(({ kind, data }) => (kind === "gap.found" ? [data as unknown as Gap] : []));
  const truths = [
    ...merged.map(({ key, at, places, parent }): Truth => ({
      key,
      at,
      parent,
      sources: places.map(({ shard }) => `hub/${shard}`),
    })),
    ...readChannelTruths(scene.client.channels.events, since),
  ];
  const account: Account = {
    sent: truths.length,
    told: 0,
    missing: [],
    twice: [],
    goneAndTold: 0,
    takenBack: 0,
    invented: [],
  };
  /** Hashes of what stands in a gap, and of what answers it: where that belongs, nobody can tell any more. */
  const lost = new Set<string>();
  for (const [key, same] of groupBy(truths, ({ key }) => key)) {
    const times = told.get(key) ?? 0;
    told.delete(key);
    account.told += Math.min(times, same.length);
    if (times > same.length) account.twice.push(`${key} (${times} times, happened ${same.length} times)`);
    for (const truth of same.slice(times)) {
      const isTakenBack = key.startsWith("cast.created ") && removed.has(key.slice(13));
      const isLost = gaps.some((gap) => covers(gap, truth)) || lost.has(truth.parent ?? "");
      if (isLost && key.startsWith("cast.created ")) lost.add(key.slice(13));
      if (isLost) account.goneAndTold += 1;
      else if (isTakenBack || isUntellable(key, toldKeys)) account.takenBack += 1;
      else account.missing.push(`${key} at ${truth.at}`);
    }
  }
  account.invented.push(...told.keys());
  account.twice.push(...findShownTwice(scene));
  account.missing.push(...(await findUnshown(scene, rows)));
  return account;
}

/** Nobody was told of a cast: that it is taken away is no news. The cast itself has to stand in a gap. */
export function isUntellable(key: string, told: ReadonlySet<string>): boolean {
  const [kind, hash] = key.split(" ");
  return kind === "cast.removed" && !told.has(`cast.created ${hash}`);
}

interface Gap {
  source: string;
  from: number;
  until: number;
}

/** A shard's block may have been confirmed a moment after what is in it happened. */
const tolerance = 2;

function covers({ source, from, until }: Gap, { at, sources }: Truth): boolean {
  return sources.includes(source) && at >= from - tolerance && at <= until + tolerance;
}

interface ToldRow {
  id: number;
  kind: string;
  channel_id: string | null;
  subject_fid: number | null;
  data: Record<string, unknown>;
}

/** Undefined for what the doubles do not tell of: the bot's own doings, and what has no entry of its own. */
function keyOf({ kind, channel_id: channel, subject_fid: fid, data }: ToldRow): string | undefined {
  switch (kind) {
    case "cast.created":
    case "cast.removed":
    case "record.hidden":
    case "record.unhidden":
      return `${kind} ${String(data["castHash"])}`;
    case "username_proof.merged":
      return `${kind} ${String(data["name"])} ${fid}`;
    case "pin.changed":
      return `${kind} ${channel} ${String(data["castHash"])}`;
    case "user.banned":
    case "user.unbanned":
    case "user.restricted":
    case "user.unrestricted":
    case "member.joined":
    case "member.left":
    case "invite.created":
    case "invite.ended":
    case "follower.added":
      return `${kind} ${channel} ${fid}`;
    default:
      return undefined;
  }
}

const standings: Record<string, { enters: string; leaves: string }> = {
  member: { enters: "member.joined", leaves: "member.left" },
  moderator: { enters: "member.joined", leaves: "member.left" },
  restricted: { enters: "user.restricted", leaves: "user.unrestricted" },
  banned: { enters: "user.banned", leaves: "user.unbanned" },
};

/** What the client API's own account of channels comes to, told as states that begin and end. */
function readChannelTruths(events: readonly Row[], since: number): Truth[] {
  const truths: Truth[] = [];
  const held = new Map<string, string>();
  const invited = new Set<string>();
  for (const event of events.toReversed()) {
    const { type, channelId, fid, ts, role, castHash } = event as Record<string, unknown>; // as the double made it
    if (!linkedChannels.some((id) => id === channelId)) continue;
    const at = Math.floor(Number(ts) / 1000);
    const who = `${String(channelId)} ${String(fid)}`;
    const tell = (kind: string, about = who) => truths.push({ key: `${kind} ${about}`, at, sources: [] });
    const stand = (standing: string | undefined) => {
      const before = standings[held.get(who) ?? ""];
      const after = standings[standing ?? ""];
      if (before !== after && before?.enters !== after?.enters) {
        if (before) tell(before.leaves);
        if (after) tell(after.enters);
      }
      if (standing) held.set(who, standing);
      else held.delete(who);
    };
    switch (type) {
      case "role-changed":
        stand(role === "none" ? undefined : String(role));
        if (role === "banned" && invited.delete(who)) tell("invite.ended");
        break;
      case "invite-created":
        if (held.get(who) === "restricted") stand(undefined);
        invited.add(who);
        tell("invite.created");
        break;
      case "invite-accepted":
      case "invite-declined":
      case "invite-revoked":
        if (invited.delete(who)) tell("invite.ended");
        break;
      case "channel-followed":
        tell("follower.added");
        break;
      case "cast-hidden":
        tell("record.hidden", String(castHash));
        break;
      case "cast-unhidden":
        tell("record.unhidden", String(castHash));
        break;
      case "cast-pinned":
        tell("pin.changed", `${String(channelId)} ${String(castHash)}`);
        break;
      case "cast-unpinned":
        tell("pin.changed", `${String(channelId)} null`);
    }
  }
  return truths.filter(({ at, key }) => at >= since && !key.endsWith(` ${botFid}`));
}

function groupBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

function findShownTwice({ rooms }: Scene): string[] {
  const numbers = rooms.numbers(room).filter((number) => number.startsWith("E-"));
  return [...groupBy(numbers, (number) => number)]
    .filter(([, same]) => same.length > 1)
    .map(([number, same]) => `${number} stands ${same.length} times in the room`);
}

/** What a post says that tells of such a thing, by itself or as a part of what it belongs to. */
const words: Record<string, RegExp> = {
  "member.joined": /joined/i,
  "member.left": /no longer a member|removed from/i,
  "invite.created": /invited/i,
  "invite.ended": /invite\b/i,
  "user.banned": /\bban/i,
  "user.unbanned": /\bban (?:lifted|over)/i,
  "user.restricted": /\brestricted/i,
  "user.unrestricted": /no longer restricted/i,
  "record.hidden": /\bhid/i,
  "record.unhidden": /shown again/i,
};

/** Events that the room should show and does not: in posts of their own, or in that of what they belong to. */
async function findUnshown({ rooms, observer }: Scene, rows: readonly ToldRow[]): Promise<string[]> {
  const followers = await observer.context.database.query
    .selectFrom("castellan.feed_rows")
    .select(["event_id", "head_id"])
    .where("room_id", "=", room)
    .where("head_id", "is not", null)
    .execute();
  const heads = new Map(followers.map(({ event_id, head_id }) => [event_id, head_id]));
  const headOf = (id: number) => heads.get(id) ?? id;
  // A post has the number of its first event, which is not always the most urgent one.
  const posts = new Map(
    rooms
      .shown(room)
      .flatMap(({ embeds }) => embeds.map((embed) => [headOf(Number(embed.footer?.slice(2))), embed])),
  );
  return rows
    .filter((row) => keyOf(row) !== undefined && row.kind !== "follower.added")
    .filter(({ id, kind }) => {
      const post = posts.get(headOf(id));
      return !post || words[kind]?.test(`${post.title}\n${post.description}`) === false;
    })
    .map(({ id, kind }) => `E-${id} (${kind}) is not in the room`);
}
