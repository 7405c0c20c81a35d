import { ChoiceNeeded } from "../src/discord/choices.ts";
import { answer, text } from "../src/discord/command.ts";
import type { CommandContext } from "../src/discord/command-context.ts";
import { textView, type View } from "../src/discord/view.ts";
import { asAppError } from "../src/errors.ts";
import { en, type Texts } from "../src/languages/en.ts";
import { TranslatedError } from "../src/languages/translated-error.ts";
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
  description: en.descriptions.appeal,
  needs: "linked",
  options: {
    text: text({ description: en.descriptions["appeal:text"], maxLength: 1000 }),
    case: text({ description: en.descriptions["appeal:case"], maxLength: 20 }),
    channel: text({ description: en.descriptions["appeal:channel"], maxLength: 100 }),
    user: optionalUser(en.descriptions["appeal:user"]),
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
      const view = describeAppeals(context, { fids, open, made, names }, words !== undefined);
      await noteSeen(
        database.query,
        made.filter(isFinal).map(({ itemId }) => itemId),
      );
      return view;
    }
    const { caseId } = choose(context.texts, { open, made, names }, { number, channel });
    const { locale } = context.texts;
    const appealed = { guildId, userId, fids, caseId, text: words.trim(), locale };
    const { about } = await makeAppeal(context, appealed);
    return describeSent(context.texts, about);
  },
});

/** Whether the answer to an appeal is complete: what was granted is done, too. */
function isFinal({ state, isOver }: MadeAppeal): boolean {
  return state !== "open" && (state !== "approved" || isOver);
}

/** The case that is meant. Throws `invalid_input` if there is none, ChoiceNeeded if there are several. */
function choose(
  texts: Texts,
  { open, made, names }: Omit<OwnAppeals, "fids">,
  { number, channel }: { number: string | undefined; channel: string | undefined },
): Appealable {
  const wanted = number === undefined ? undefined : readCase(number);
  const channelId = channel === undefined ? undefined : readChannelId(channel);
  const isMeant = (one: Pick<Appealable, "number" | "channelId">) =>
    (wanted === undefined || one.number === wanted) &&
    (channelId === undefined || one.channelId === channelId);
  const found = open.filter(isMeant);
  const [only, another] = found;
  if (!only) {
    const before = made.find(isMeant);
    if (before) throw appealedBefore(before);
    throw new TranslatedError("invalid_input", ({ appeals }) => appeals.unknown);
  }
  if (!another) return only;
  throw new ChoiceNeeded(
    texts.appeals.which,
    found.map((one) => ({
      label: `${texts.appeals[one.kind](one.channelId)}, ${showNumber("case", one.number)}`,
      description: one.cast
        ? castLine(one.cast, names, 90, texts.cast)
        : cutText(toVisible(one.publicReason ?? ""), 90),
      raw: { case: showNumber("case", one.number), channel: one.channelId },
    })),
    texts.appeals.several,
  );
}

/** Throws `invalid_input`. */
function readCase(typed: string): number {
  try {
    return readNumber("case", typed);
  } catch (cause) {
    if (!asAppError(cause, "invalid_input")) throw cause;
    throw new TranslatedError("invalid_input", ({ appeals }) => appeals.notACase, { cause });
  }
}

/** Why a second appeal is not accepted. */
function appealedBefore({ number, channelId, state, isOver, kind }: MadeAppeal): TranslatedError {
  const over = kind === "ban" ? "lifted" : "shown";
  const decided = state === "approved" ? "granted" : "declined";
  const which = isOver ? over : state === "open" ? "open" : decided;
  return new TranslatedError("already_answered", (texts) =>
    texts.appealedBefore[which](showNumber("case", number), channelId),
  );
}

function describeSent({ appeals }: Texts, { kind, channelId, number }: Appealable): View {
  const sent = kind === "ban" ? appeals.sentBan : appeals.sentHide;
  const lines = [sent(channelId, showNumber("case", number)), appeals.answerComes];
  return textView("good", lines, { title: appeals.sent });
}

interface OwnAppeals {
  fids: readonly number[];
  open: readonly Appealable[];
  made: readonly MadeAppeal[];
  /** Of who is mentioned in the casts. */
  names: ReadonlyMap<number, string>;
}

function describeAppeals(
  { live, actor, texts }: CommandContext,
  { fids, open, made, names }: OwnAppeals,
  tried: boolean,
): View {
  const { appeals, andMore } = texts;
  const self = `<@${actor.userId}>`;
  const lines = [
    ...(tried ? [`**${appeals.nothingSent}**`] : []),
    ...made.map((one) => describeMade(texts, one)),
    ...(made.length > 0 ? [""] : []),
    ...describeOpen(texts, open, names),
    ...(fids.length === 0 ? [live ? appeals.unknownAccountLive(self) : appeals.unknownAccount(self)] : []),
    ...(fids.length > 0 && open.length === 0
      ? [appeals.none(fids.map((fid) => `fid ${fid}`).join(", "))]
      : []),
  ];
  return textView("plain", fitLinesOrCount(lines, maxListText, andMore), { title: appeals.title });
}

function describeOpen(
  { appeals, cast: castWords }: Texts,
  open: readonly Appealable[],
  names: OwnAppeals["names"],
): string[] {
  if (open.length === 0) return [];
  return [
    appeals.canAppeal,
    ...open.map(({ kind, number, channelId, requestedAtMs, publicReason, cast: said }) => {
      const reason = publicReason === null ? "" : ` · ${escapeText(publicReason, 150)}`;
      const cast = said === null ? "" : ` · ${inlineCode(castLine(said, names, 60, castWords), 60)}`;
      return `- **${showNumber("case", number)}** ${appeals[kind](channelId)} ${describeTime(requestedAtMs / 1000)}${cast}${reason}`;
    }),
  ];
}

function describeMade(
  { appeals, appealStates: states }: Texts,
  { number, kind, channelId, state, decidedAtMs, madeAtMs, isOver }: MadeAppeal,
): string {
  const what = `**${showNumber("case", number)}** ${appeals[kind](channelId)}`;
  const appealed = describeTime(madeAtMs / 1000);
  const decided = describeTime((decidedAtMs ?? madeAtMs) / 1000);
  const over = kind === "ban" ? states.lifted : states.shown;
  const sentences =
    state === "open"
      ? [states.open(what, appealed), ...(isOver ? [over] : [])]
      : state === "approved"
        ? [states.granted(what, appealed, decided), isOver ? over : states.unconfirmed]
        : [states.declined(what, appealed, decided), ...(isOver ? [over] : [])];
  return sentences.join(" ");
}
