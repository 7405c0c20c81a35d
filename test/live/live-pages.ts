import type { Channel, Row } from "./live-channels.ts";

/** As the service shows a channel. */
export function describeChannel({ id, name, owner, createdAt, pinned, standings, followers }: Channel): Row {
  const staff = [...standings].filter(([, { standing }]) => standing === "moderator").map(([fid]) => fid);
  const members = [...standings.values()].filter(({ standing }) => /^mem|^mod/.test(standing)).length;
  return {
    id,
    url: `https://farcaster.xyz/~/channel/${id}`,
    name,
    description: "",
    descriptionMentions: [],
    descriptionMentionsPositions: [],
    imageUrl: `https://images.example/${id}.png`,
    leadFid: owner,
    moderatorFids: staff,
    createdAt,
    followerCount: followers.size,
    memberCount: members,
    publicCasting: true,
    ...(pinned !== undefined && { pinnedCastHash: pinned }),
  };
}

/** Newest first, at most 100 to a page where nothing else is asked for. */
export function page(name: string, rows: readonly Row[], time: string, query: URLSearchParams): Row {
  const fid = query.get("fid");
  const own = rows
    .filter((row) => fid === null || name === "channels" || String(row["fid"] ?? row["invitedFid"]) === fid)
    .toSorted((one, other) => Number(other[time]) - Number(one[time]));
  const from = Number(Buffer.from(query.get("cursor") ?? "", "base64url").toString() || 0);
  const until = from + Math.min(Number(query.get("limit") ?? 100), 1000);
  const next = { cursor: Buffer.from(String(until)).toString("base64url") };
  return { result: { [name]: own.slice(from, until) }, ...(until < own.length && { next }) };
}

/** What happened in channels up to a time, newest first. */
export function pageEvents(events: readonly Row[], query: URLSearchParams): Row[] {
  const most = Math.min(Number(query.get("limit") ?? 100), 500);
  const maxTs = Number(query.get("maxTs") ?? Infinity);
  const channelId = query.get("channelId");
  const own = events.filter(
    (event) => Number(event["ts"]) <= maxTs && (channelId === null || event["channelId"] === channelId),
  );
  return own.slice(0, most);
}

/** Who stands so in these channels; moderators are members. `time`: the field of when. */
export function listStanding(channels: readonly Channel[], standing: string, time: string): Row[] {
  return channels.flatMap(({ id, standings }) =>
    [...standings]
      .filter(
        ([, own]) => own.standing === standing || (standing === "member" && own.standing === "moderator"),
      )
      .map(([fid, { at }]): Row => ({ fid, channelId: id, [time]: at })),
  );
}
