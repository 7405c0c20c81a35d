import { ChoiceNeeded } from "../src/discord/choices.ts";
import { answer, text } from "../src/discord/command.ts";
import type { CommandContext } from "../src/discord/command-context.ts";
import { textView, type View } from "../src/discord/view.ts";
import { AppError } from "../src/errors.ts";
import { maxListText } from "../src/limits/discord-limits.ts";
import { findAppellant } from "../src/moderation/own-channels.ts";
import { readNames } from "../src/observe/people.ts";
import {
  listAppealable,
  listMade,
  makeAppeal,
  noteSeen,
  type Appealable,
  type MadeAppeal,
} from "../src/reviews/appeals.ts";
import {
  cutText,
  describeTime,
  escapeText,
  fitLinesOrCount,
  inlineCode,
  toVisible,
} from "../src/text/message-text.ts";
import { readNumber, showNumber } from "../src/text/numbered.ts";
import { castLine } from "../src/text/show-cast.ts";
import { readChannelId, optionalUser } from "./shared/options.ts";
import { requireWorkingChannels } from "./shared/working-channels.ts";

export const appeal = answer({
  description: "Ask the moderators to review your ban or hidden cast; without a text, shows your appeals",
  needs: "linked",
  options: {
    text: text({ description: "Why it should be undone; the moderators will read this", maxLength: 1000 }),
    case: text({ description: "The case's number, such as C-12, if there are several", maxLength: 20 }),
    channel: text({ description: "Its channel, if you have cases in several", maxLength: 100 }),
    user: optionalUser("Your own Farcaster account, if Castellan cannot find it: fid or @name"),
  },
  async run(context, { text: words, case: number, channel, user }) {
    const { actor, database } = context;
    await requireWorkingChannels(context);
    const fids = await findAppellant(context, actor, user?.fid);
    const { guildId, userId } = actor;
    const made = await listMade(database.query, guildId, userId);
    const open = await listAppealable(database.query, guildId, fids);
    const names = await readNames(
      database.query,
      open.flatMap(({ cast }) => cast?.mentions ?? []),
    );
    if (words === undefined || words.trim() === "" || open.length === 0) {
      const view = describeStanding(context, { fids, open, made, names }, words !== undefined);
      await noteSeen(
        database.query,
        made.map(({ itemId }) => itemId),
      );
      return view;
    }
    const { caseId } = choose({ open, made, names }, { number, channel });
    const { about } = await makeAppeal(context, { guildId, userId, fids, caseId, text: words.trim() });
    return describeSent(about);
  },
});

/** The case that is meant. Throws `invalid_input` if there is none, ChoiceNeeded if there are several. */
function choose(
  { open, made, names }: Omit<OwnAppeals, "fids">,
  { number, channel }: { number: string | undefined; channel: string | undefined },
): Appealable {
  const wanted = number === undefined ? undefined : readNumber("case", number);
  const channelId = channel === undefined ? undefined : readChannelId(channel);
  const isMeant = (one: Pick<Appealable, "number" | "channelId">) =>
    (wanted === undefined || one.number === wanted) &&
    (channelId === undefined || one.channelId === channelId);
  const found = open.filter(isMeant);
  const [only, another] = found;
  if (!only) {
    const before = made.find(isMeant);
    if (before) throw new AppError("already_answered", describeAgain(before));
    throw new AppError("invalid_input", "You have nothing like that to appeal. /appeal lists it.");
  }
  if (!another) return only;
  throw new ChoiceNeeded(
    "Which one do you want to appeal?",
    found.map((one) => ({
      label: `${kinds[one.kind]} in /${one.channelId}, ${showNumber("case", one.number)}`,
      description: one.cast ? castLine(one.cast, names, 90) : cutText(toVisible(one.publicReason ?? ""), 90),
      raw: { case: showNumber("case", one.number), channel: one.channelId },
    })),
    "There are several. Choose one with the case option.",
  );
}

/** Why a second appeal is not accepted. */
function describeAgain({ number, channelId, state, isOver, kind }: MadeAppeal): string {
  const what = `You have already appealed ${showNumber("case", number)} in /${channelId}`;
  if (isOver) return `${what}, and ${kind === "ban" ? "that ban was lifted" : "that cast is shown again"}.`;
  if (state === "open") return `${what}; the moderators have not decided yet. Nothing was sent.`;
  const decided = state === "approved" ? "granted it" : "decided to leave it as it is";
  return `${what}, and the moderators ${decided}. Nothing was sent.`;
}

const kinds = { ban: "Ban", hide: "Hidden cast" } as const;

function describeSent({ kind, channelId, number }: Appealable): View {
  const what = kind === "ban" ? "your ban" : "your hidden cast";
  const lines = [
    `The moderators of /${channelId} will review ${what} (${showNumber("case", number)}). They see what you wrote and who you are here. Nothing changes until they decide.`,
    "You get the answer as a private message if you accept messages from this server's members. /appeal shows it too.",
  ];
  return textView("good", lines, { title: "Appeal sent" });
}

interface OwnAppeals {
  fids: readonly number[];
  open: readonly Appealable[];
  made: readonly MadeAppeal[];
  /** Of who is mentioned in the casts. */
  names: ReadonlyMap<number, string>;
}

function describeStanding(
  { live, actor }: CommandContext,
  { fids, open, made, names }: OwnAppeals,
  tried: boolean,
): View {
  const lines = [
    ...(tried ? ["**Nothing was sent.**"] : []),
    ...made.map(describeMade),
    ...(made.length > 0 ? [""] : []),
    ...describeOpen(open, names),
    ...(fids.length === 0 ? [unknownAccount(actor.userId, live !== undefined)] : []),
    ...(fids.length > 0 && open.length === 0
      ? [
          `There is nothing to appeal for fid ${fids.join(", fid ")}. Is it about another account of yours? Name it with the \`user\` option.`,
        ]
      : []),
  ];
  return textView("plain", fitLinesOrCount(lines, maxListText), { title: "Your appeals" });
}

function describeOpen(open: readonly Appealable[], names: OwnAppeals["names"]): string[] {
  if (open.length === 0) return [];
  return [
    "You can appeal each of these once: use /appeal and say why.",
    ...open.map(({ kind, number, channelId, requestedAtMs, publicReason, cast: said }) => {
      const reason = publicReason === null ? "" : ` · ${escapeText(publicReason, 150)}`;
      const cast = said === null ? "" : ` · ${inlineCode(castLine(said, names, 60), 60)}`;
      return `- **${showNumber("case", number)}** ${kinds[kind]} in /${channelId} ${describeTime(requestedAtMs / 1000)}${cast}${reason}`;
    }),
  ];
}

function describeMade({ number, kind, channelId, state, decidedAtMs, madeAtMs, isOver }: MadeAppeal): string {
  const what = `**${showNumber("case", number)}** ${kinds[kind]} in /${channelId}, appealed ${describeTime(madeAtMs / 1000)}:`;
  const over = isOver ? (kind === "ban" ? " That ban was lifted." : " It was shown again.") : "";
  if (state === "open") return `${what} the moderators have not decided yet.${over}`;
  const when = decidedAtMs === null ? "" : ` ${describeTime(decidedAtMs / 1000)}`;
  if (state === "approved")
    return `${what} granted${when}.${over || " The network has not confirmed it yet."}`;
  return `${what} not granted${when}; it stays.${over}`;
}

function unknownAccount(userId: string, isLive: boolean): string {
  const way = isLive
    ? "Name your account with the `user` option. It must have verified your Discord account."
    : "Connect Discord to your Farcaster account first.";
  return `Castellan does not know which Farcaster account is <@${userId}>'s. ${way}`;
}
