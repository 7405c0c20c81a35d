import { offerRun, offerSeveral } from "../src/discord/choices.ts";
import { listing } from "../src/discord/command.ts";
import type { CommandContext } from "../src/discord/command-context.ts";
import { textView, type View } from "../src/discord/view.ts";
import { maxListText } from "../src/limits/discord-limits.ts";
import { findHiddenByBan } from "../src/moderation/count-casts.ts";
import type { KnownCast } from "../src/moderation/find-target.ts";
import { describeUser, nameUser, peopleIn, readNames } from "../src/observe/people.ts";
import { cutText, describeTime, fitLines, inlineCode } from "../src/text/message-text.ts";
import { castLine, castLink } from "../src/text/show-cast.ts";
import {
  describeSearch,
  findPage,
  optionsFor,
  readPlace,
  readSearch,
  searchOptions,
  writePlace,
  type Search,
} from "./shared/cast-search.ts";

const pageSize = 10;

/** Finds casts in channels in which the actor may view. Its menu and buttons lead to the commands that act on them. */
export const find = listing({
  description: "Find casts by words, author, link or time, and act on some or all of them",
  needs: "view",
  console: true,
  options: searchOptions,
  async page(context, args, cursor) {
    const { query } = context.database;
    const search = await readSearch(context, args);
    const { casts, hasMore } = await findPage(context, search, readPlace(cursor), pageSize);
    const [names, hiddenByBan] = await Promise.all([
      readNames(query, peopleIn(casts)),
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
    const where = search.channelIds.map((id) => `/${id}`).join(", ");
    return {
      view: {
        ...textView("plain", [describeSearch(search.filter, search.user), "", listed || "None."], {
          title: cutText(`Casts in ${where}`, 200),
        }),
        ...(await offerActs(context, shown, names, search)),
      },
      ...(last && (hasMore || casts.length > shown.length) && { next: writePlace(last) }),
    };
  },
});

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

/** A menu for some casts of a page, and buttons for all matching ones. Each asks before it acts. */
async function offerActs(
  context: CommandContext,
  shown: readonly KnownCast[],
  names: ReadonlyMap<number, string>,
  search: Search,
): Promise<Pick<View, "menu" | "buttons">> {
  const isHidden = search.hidden === true;
  const casts = shown.filter((cast) => cast.hidden === isHidden);
  if (casts.length === 0) return {};
  const shows = isHidden && { show_again: true };
  const possibilities = casts.map((cast) => ({
    label: `${shown.indexOf(cast) + 1}. ${nameUser({ fid: cast.fid, name: names.get(cast.fid) })}`,
    description: castLine(cast, names, 90),
    // Without a channel the command takes casts of several.
    raw: { ...shows, casts: cast.hash, ...(search.channelIds.length === 1 && { channel: cast.channelId }) },
  }));
  const placeholder = isHidden ? "Show some of these again…" : "Hide some of these…";
  const menu = await offerSeveral(context, "hide", placeholder, possibilities, "casts");
  const raw = optionsFor(search);
  if (!raw) return { menu };
  const { user, ...others } = raw;
  const all = await offerRun(context, "hide", { ...raw, ...shows });
  const bans = user === undefined && !isHidden ? [await offerRun(context, "ban", others)] : [];
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
