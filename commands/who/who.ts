import { listing } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import type { RoomButton } from "../../src/feed/rooms.ts";
import { runButton } from "../../src/feed/run-button.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { targetKey, type Case } from "../../src/moderation/cases/case.ts";
import { readCaseLookups, type CaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import { readStandingBans } from "../../src/moderation/cases/standing-bans.ts";
import { listCasts } from "../../src/moderation/bulks/find-casts.ts";
import { countCastsIn, findHiddenByBan } from "../../src/moderation/count-casts.ts";
import type { KnownCast } from "../../src/moderation/find-target.ts";
import { countCasesAgainst, listCasesAbout, readPlaces } from "../../src/moderation/person.ts";
import { readPersonOnNetwork } from "../../src/moderation/person-on-network.ts";
import { describeUser, readNames, type User } from "../../src/observe/people.ts";
import { readMarks } from "../../src/rules/verdicts/marks-of-person.ts";
import { describeTime, inlineCode } from "../../src/text/message-text.ts";
import { castLine, castLink } from "../../src/text/show-cast.ts";
import { optionalUser } from "../shared/options.ts";
import { refuseUseless } from "../shared/targets.ts";
import { describeCaseActor, describeCaseLine } from "../shared/describe-case.ts";
import { listOptions, listPeopleOf } from "./list.ts";
import { describeNetwork, describePlace, describeSaid } from "./describe-person.ts";

/** The most casts and cases that are shown; the casts have a row of buttons. */
const shown = 5;
/** The most channels with a field each; Discord allows 25 fields. */
const maxChannels = 18;

export const who = listing({
  description:
    "Everything known about a person; or a channel's members, invited, restricted or banned people",
  needs: "view",
  console: true,
  options: { user: optionalUser("Who: fid, @name or profile link", "any"), ...listOptions },
  async page(context, { user, ...filter }, cursor) {
    if (!user) return listPeopleOf(context, filter, cursor);
    refuseUseless(filter, "is for a list of people, without `user`");
    const channelIds = await authorizeIn(context, context.actor, "view");
    return { view: await showPerson(context, user, channelIds) };
  },
});

async function showPerson(context: CommandContext, user: User, channelIds: readonly string[]): Promise<View> {
  const { database, clock, actor, settings } = context;
  const { query } = database;
  const { guildId } = actor;
  const { fid } = user;
  const { places, owners } = await readPlaces(query, channelIds, fid);
  const [casts, newest, counts, latest, marks, network] = await Promise.all([
    countCastsIn(query, channelIds, fid),
    listCasts(query, channelIds, { fid }, undefined, shown),
    countCasesAgainst(query, guildId, channelIds, fid),
    listCasesAbout(query, guildId, channelIds, fid, shown),
    readMarks(query, clock, { guildId, channelIds, fid }),
    readPersonOnNetwork(context, fid, owners),
  ]);
  const lookups = await readCaseLookups(query, latest);
  const mentioned = await readNames(
    query,
    newest.flatMap(({ mentions }) => mentions),
  );
  const hiddenByBan = await findHiddenByBan(
    query,
    newest.map(({ hash }) => hash),
  );
  const banned = places.filter(({ since }) => since.bans !== undefined);
  const banOf = (channelId: string) => targetKey({ channelId, kind: "ban", targetFid: fid });
  const bans = await readStandingBans(
    query,
    banned.map(({ channelId }) => banOf(channelId)),
  );
  const met = places.filter(
    ({ channelId, staff, since }) =>
      staff || Object.keys(since).length > 0 || casts.has(channelId) || marks.points.has(channelId),
  );
  const fields = [
    ...met.slice(0, maxChannels).map((place) => ({
      name: `/${place.channelId}`,
      value: describePlace(place, guildId, {
        casts: casts.get(place.channelId),
        ban: bans.get(banOf(place.channelId)),
        points: marks.points.get(place.channelId) ?? 0,
        cases: counts.filter(({ channelId }) => channelId === place.channelId),
      }),
      inline: true,
    })),
    ...(newest.length > 0
      ? [
          {
            name: "Latest casts",
            value: newest
              .map((cast, at) => describeNewest(context, cast, at, hiddenByBan.has(cast.hash), mentioned))
              .join("\n"),
          },
        ]
      : []),
    ...(latest.length > 0
      ? [
          {
            name: "Latest cases",
            value: latest.map((subject) => describeCase(subject, channelIds, lookups)).join("\n"),
          },
        ]
      : []),
    ...describeSaid(fid, marks),
  ];
  const profile = `${settings.linkBase.replace(/\/$/, "")}/~/profiles/${fid}`;
  const where =
    met.length > 0
      ? met.length > maxChannels
        ? [`Known in ${met.length} channels; ${maxChannels} are shown.`]
        : []
      : [`Never seen in ${channelIds.map((id) => `/${id}`).join(", ")}, and no cases there.`];
  const description = [
    `${describeUser(user)} · [profile](${profile})`,
    ...describeNetwork(fid, network, await readNames(query, network.blockedBy ?? [])),
    ...where,
  ].join("\n");
  return {
    ...textView("plain", description, { title: "Who is this?", fields }),
    buttons: [
      actionButtons(fid, {
        all: channelIds,
        banned: banned.map(({ channelId }) => channelId),
        invitable: places
          .filter(({ staff, since: { bans, members, invites } }) => !staff && !bans && !members && !invites)
          .map(({ channelId }) => channelId),
      }),
      newest.map(hideButton),
    ],
  };
}

function describeNewest(
  { settings }: CommandContext,
  cast: KnownCast,
  at: number,
  isHiddenByBan: boolean,
  names: ReadonlyMap<number, string>,
): string {
  const hidden = cast.hidden ? " · hidden" : isHiddenByBan ? " · hidden by the ban" : "";
  const text = cast.erasedAtMs === null ? inlineCode(castLine(cast, names, 90), 90) : "(not stored any more)";
  const link = castLink(settings.linkBase, cast.hash);
  return `${at + 1}. /${cast.channelId} ${describeTime(cast.castAt)}${hidden} · ${link} ${text}`;
}

function describeCase(subject: Case, channelIds: readonly string[], lookups: CaseLookups): string {
  const where = channelIds.length > 1 ? ` · /${subject.channelId}` : "";
  return `${describeCaseLine(subject, lookups)}${where} · ${describeCaseActor(subject, lookups.names)}`;
}

/** A button for one channel names it; a command that needs a channel asks for it. */
function actionButtons(
  fid: number,
  { all, banned, invitable }: Record<"all" | "banned" | "invitable", readonly string[]>,
): RoomButton[] {
  const run = (
    label: string,
    where: string,
    path: string,
    [only, another]: readonly string[],
    {
      style = "secondary",
      of = { user: String(fid) },
    }: { style?: RoomButton["style"]; of?: Record<string, string> } = {},
  ): RoomButton => {
    const channel = another === undefined ? only : undefined;
    const options = { ...of, ...(channel !== undefined && { channel }) };
    return runButton(channel === undefined ? label : `${label} ${where} /${channel}`, path, options, style);
  };
  const others = all.filter((channelId) => !banned.includes(channelId));
  return [
    run("History", "in", "case show", all),
    ...(banned.length > 0
      ? [run("Lift the ban", "from", "undo", banned, { of: { what: `fid ${fid}` } })]
      : []),
    others.length > 0
      ? run("Ban", "from", "ban", others, { style: "danger" })
      : run("Change the ban", "in", "ban", banned),
    ...(invitable.length > 0 ? [run("Invite", "to", "invite", invitable)] : []),
  ];
}

function hideButton(cast: KnownCast, at: number): RoomButton {
  const { hash, channelId: channel } = cast;
  return cast.hidden
    ? runButton(`Unhide ${at + 1}`, "undo", { what: hash, channel })
    : runButton(`Hide ${at + 1}`, "hide", { cast: hash, channel });
}
