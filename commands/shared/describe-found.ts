import type { CommandContext } from "../../src/discord/command-context.ts";
import { readCasts } from "../../src/moderation/bulks/find-casts.ts";
import { findAlreadyBanned } from "../../src/moderation/bulks/find-users.ts";
import { findStandingBans } from "../../src/moderation/cases/standing-bans.ts";
import { findAwaitedHides, findHiddenByBan } from "../../src/moderation/count-casts.ts";
import type { KnownCast } from "../../src/moderation/find-target.ts";
import { nameUser, peopleIn, readNames } from "../../src/observe/people.ts";
import { castLink, castParts } from "../../src/text/show-cast.ts";

/** Casts for a page that shows their parts, each with the cast that it replies to, if that is in these channels. */
export async function describeFound(
  { database: { query }, settings }: CommandContext,
  channelIds: readonly string[],
  casts: readonly KnownCast[],
) {
  const hashes = casts.map(({ hash }) => hash);
  const [hiddenByBan, awaited, parents, banned] = await Promise.all([
    findHiddenByBan(query, hashes),
    findAwaitedHides(query, hashes),
    readCasts(
      query,
      channelIds,
      casts.flatMap(({ parentHash }) => parentHash ?? []),
    ),
    findBanned(query, casts),
  ]);
  const names = await readNames(query, peopleIn([...casts, ...parents.values()]));
  /** The content as plain text, and a link as Discord's markdown. */
  const show = (cast: KnownCast) => ({
    fid: cast.fid,
    author: nameUser({ fid: cast.fid, name: names.get(cast.fid) }),
    link: castLink(settings.linkBase, cast.hash),
    ...(cast.erasedAtMs === null ? castParts(cast, names) : { text: "(not stored any more)", below: [] }),
  });
  return casts.map((cast) => {
    const { hash, channelId, castAt, hidden, parentHash } = cast;
    const parent = parents.get(parentHash ?? "");
    return {
      ...show(cast),
      hash,
      channel: channelId,
      at: castAt,
      hidden: awaited.get(hash) ?? hidden,
      isHiddenByBan: hiddenByBan.has(hash),
      isAuthorBanned: banned.get(channelId)?.has(cast.fid) ?? false,
      /** The cast that it replies to; only its link if it was not seen, was removed, or is elsewhere. */
      ...(parentHash !== null && {
        parent: parent ? show(parent) : { link: castLink(settings.linkBase, parentHash) },
      }),
    };
  });
}

/** The banned authors of these casts, by channel; the listing shows a new ban only later. */
async function findBanned(query: CommandContext["database"]["query"], casts: readonly KnownCast[]) {
  const channels = [...new Set(casts.map(({ channelId }) => channelId))];
  const found = channels.map(async (id) => {
    const fids = casts.filter(({ channelId }) => channelId === id).map(({ fid }) => fid);
    const [listed, standing] = await Promise.all([
      findAlreadyBanned(query, id, fids),
      findStandingBans(query, id, fids),
    ]);
    return [id, new Set([...listed, ...standing.keys()])] as const;
  });
  return new Map(await Promise.all(found));
}
