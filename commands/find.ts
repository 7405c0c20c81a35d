import { offerRun, offerSeveral } from "../src/discord/choices.ts";
import { listing, text, yesOrNo, type RawValue } from "../src/discord/command.ts";
import type { CommandContext } from "../src/discord/command-context.ts";
import { textView, type View } from "../src/discord/view.ts";
import { maxListText } from "../src/limits/discord-limits.ts";
import { authorize } from "../src/moderation/authorize.ts";
import { authorizeIn } from "../src/moderation/authorize-server.ts";
import { listCasts, type CastFilter } from "../src/moderation/bulks/find-casts.ts";
import { findHiddenByBan } from "../src/moderation/count-casts.ts";
import type { KnownCast } from "../src/moderation/find-target.ts";
import { describeUser, nameUser, readNames } from "../src/observe/people.ts";
import { cutText, describeTime, fitLines, inlineCode } from "../src/text/message-text.ts";
import { castLine, castLink } from "../src/text/show-cast.ts";
import { writeSince } from "../src/text/since.ts";
import { describeSearch, linkOption } from "./shared/cast-search.ts";
import { channelOption, optionalUser, readChannelId, sinceOption } from "./shared/options.ts";

const pageSize = 10;

/** Finds casts in channels in which the actor may view. Its menu and buttons lead to the commands that act on them. */
export const find = listing({
  description: "Find casts by words, author, link or time, and act on some or all of them",
  needs: "view",
  console: true,
  options: {
    text: text({ description: "Only casts that contain this", maxLength: 200 }),
    user: optionalUser("Only of this user: fid, @name or profile link", "any"),
    link: linkOption,
    since: sinceOption("Only casts after this time: 2h ago, 20:00 or 2026-11-23 20:00 (UTC)"),
    hidden: yesOrNo("Only hidden casts, or only visible ones; both if left out"),
    channel: { ...channelOption, description: "Only this channel" },
  },
  async page(context, { text: words, user, link, since, hidden, channel }, cursor) {
    const given = channel === undefined ? undefined : readChannelId(channel);
    if (given !== undefined) await authorize(context, context.actor, given, "view");
    const channelIds = given === undefined ? await authorizeIn(context, context.actor, "view") : [given];
    const { query } = context.database;
    const filter = { fid: user?.fid, text: words, link, since };
    const found = await listCasts(query, channelIds, { ...filter, hidden }, readPlace(cursor), pageSize + 1);
    const casts = found.slice(0, pageSize);
    const [names, hiddenByBan] = await Promise.all([
      readNames(
        query,
        casts.flatMap(({ fid, mentions }) => [fid, ...mentions]),
      ),
      findHiddenByBan(
        query,
        casts.map(({ hash }) => hash),
      ),
    ]);
    const lines = casts.map((cast, at) =>
      describeCast(context, cast, at + 1, { names, isHiddenByBan: hiddenByBan.has(cast.hash) }),
    );
    const { text: listed, fitted } = fitLines(lines, maxListText - 300);
    const shown = casts.slice(0, fitted);
    const last = shown.at(-1);
    const where = channelIds.map((id) => `/${id}`).join(", ");
    return {
      view: {
        ...textView("plain", [describeSearch(filter, user), "", listed || "None."], {
          title: cutText(`Casts in ${where}`, 200),
        }),
        ...(await offerActs(context, shown, names, { filter, hidden, channelIds })),
      },
      ...(last && found.length > shown.length && { next: `${last.castAt} ${last.hash}` }),
    };
  },
});

function readPlace(cursor: string | undefined): { castAt: number; hash: string } | undefined {
  const [, castAt, hash = ""] = /^(\d{1,12}) (0x[0-9a-f]{40})$/.exec(cursor ?? "") ?? [];
  return castAt === undefined ? undefined : { castAt: Number(castAt), hash };
}

function describeCast(
  { settings }: CommandContext,
  cast: KnownCast,
  place: number,
  { names, isHiddenByBan }: { names: ReadonlyMap<number, string>; isHiddenByBan: boolean },
): string {
  const { fid, hash, channelId, castAt, hidden, erasedAtMs } = cast;
  const state = hidden ? " · **hidden**" : isHiddenByBan ? " · **hidden by the ban**" : "";
  const author = describeUser({ fid, name: names.get(fid) });
  const words = erasedAtMs === null ? inlineCode(castLine(cast, names, 160), 160) : "(not stored any more)";
  return `${place}. ${author} in /${channelId} ${describeTime(castAt)}${state} · ${castLink(settings.linkBase, hash)}\n> ${words}`;
}

interface Search {
  filter: CastFilter;
  hidden: boolean | undefined;
  channelIds: readonly string[];
}

/** A menu for some casts of a page, and buttons for all matching ones. Each asks before it acts. */
async function offerActs(
  context: CommandContext,
  shown: readonly KnownCast[],
  names: ReadonlyMap<number, string>,
  { filter, hidden, channelIds: [only, another] }: Search,
): Promise<Pick<View, "menu" | "buttons">> {
  const isHidden = hidden === true;
  const casts = shown.filter((cast) => cast.hidden === isHidden);
  if (casts.length === 0) return {};
  const path = isHidden ? "bulk unhide" : "bulk hide";
  const possibilities = casts.map((cast) => ({
    label: `${shown.indexOf(cast) + 1}. ${nameUser({ fid: cast.fid, name: names.get(cast.fid) })}`,
    description: castLine(cast, names, 90),
    // Without a channel the command takes casts of several.
    raw: { casts: cast.hash, ...(another === undefined && { channel: cast.channelId }) },
  }));
  const placeholder = isHidden ? "Show some of these again…" : "Hide some of these…";
  const menu = await offerSeveral(context, path, placeholder, possibilities, "casts");
  const { fid, text: words, link, since } = filter;
  const raw: Record<string, RawValue> = {
    ...(words !== undefined && { text: words }),
    ...(link !== undefined && { link }),
    ...(since !== undefined && { since: writeSince(since) }),
    ...(another === undefined && only !== undefined && { channel: only }),
  };
  const author = fid === undefined ? {} : { user: String(fid) };
  const isFiltered = [fid, words, link, since].some((one) => one !== undefined);
  if (!isFiltered) return { menu };
  const all = await offerRun(context, path, { ...raw, ...author });
  const bans = fid === undefined && !isHidden ? [await offerRun(context, "bulk ban", raw)] : [];
  return {
    menu,
    buttons: [
      [
        {
          customId: all,
          label: isHidden ? "Show all matches again…" : "Hide all matches…",
          style: "danger",
        },
        ...bans.map((customId) => ({ customId, label: "Ban their authors…", style: "danger" as const })),
      ],
    ],
  };
}
