import { answer } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { discordLimits, maxListText } from "../../src/limits/discord-limits.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { describeUser, readNames, type User } from "../../src/observe/people.ts";
import { readSeen } from "../../src/rules/verdicts/read-seen.ts";
import { describeTree, markOf } from "../../src/rules/explain/describe-tree.ts";
import {
  explainEvent,
  type ExplainedVerdict,
  type Explanation,
  type PresentAnswer,
} from "../../src/rules/explain/explain-event.ts";
import { findExplained } from "../../src/rules/explain/find-explained.ts";
import { describeTime, escapeText, fitLines } from "../../src/text/message-text.ts";
import { writeMoments } from "../../src/text/since.ts";
import { showCast } from "../../src/text/show-cast.ts";
import { optionalCast, optionalNumber } from "../shared/options.ts";
import { findClearChannel, suggestCastsFor } from "../shared/suggestions.ts";
import { modeWords, outcomeWords } from "./describe-rule.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { findCase, readCase } from "../../src/moderation/cases/case.ts";
import { readCaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import type { People } from "../../src/rules/explain/find-people.ts";
import { colors } from "../../src/text/colors.ts";
import { showItem } from "../review/show.ts";
import { describeCaseActor, describeCaseLine } from "../shared/describe-case.ts";

export const explainRules = answer({
  description: "Why something happened: rules, with the result of each condition, or people",
  needs: "view",
  options: {
    cast: optionalCast("A cast, by link or hash", suggestCastsFor({ visible: "view", hidden: "hide" })),
    case: optionalNumber("case", "Or a case, such as C-12"),
    event: optionalNumber("event", "Or an event: the number under its message, such as E-345"),
  },
  async run(context, { cast, case: number, event }): Promise<View> {
    const { guildId } = context.actor;
    const held = await authorizeIn(context, context.actor, "view");
    const channelIds = number === undefined ? held : await channelsOfCase(context, held, number);
    const wanted = { castHash: cast?.hash, case: number, event };
    const views: View[] = [];
    for (const found of await findExplained(context, guildId, channelIds, wanted)) {
      const { eventId, channelId, people } = found;
      if (people) views.push(await describePeople(context, channelId, people));
      if (eventId === null) continue;
      const explanation = await explainEvent(context, guildId, channelId, eventId);
      if (people && !saysMore(explanation)) continue;
      const seen = await readShown(context, explanation);
      views.push(describeExplanation(explanation, seen));
    }
    return joinViews(views);
  },
});

/** Where channels counted separately, several may have this case: that of the room's channel is meant. */
async function channelsOfCase(
  context: CommandContext,
  held: readonly string[],
  number: number,
): Promise<readonly string[]> {
  const clear = await findClearChannel(context, held);
  if (clear === undefined || !held.includes(clear)) return held;
  const { guildId } = context.actor;
  const own = await findCase(context.database.query, { guildId, channelId: clear, number });
  return own ? [clear] : held;
}

/** The subject of the event, in words. */
interface Shown {
  author: User | undefined;
  /** The cast, or the name. */
  body: string | undefined;
}

async function readShown({ database }: CommandContext, { occurrence }: Explanation): Promise<Shown> {
  if (!occurrence) return { author: undefined, body: undefined };
  const fid = occurrence.authorFid;
  const body = await readSeen(database.query, occurrence);
  const names = await readNames(database.query, [...(fid === null ? [] : [fid]), ...(body?.mentions ?? [])]);
  return {
    author: fid === null ? undefined : { fid, name: names.get(fid) },
    body: body ? showCast(body, names, 300) : undefined,
  };
}

/** Whether rules are worth explaining next to the people who did it. */
function saysMore({ verdicts, note, present }: Explanation): boolean {
  return verdicts.length > 0 || note !== undefined || (present.asked && present.answers.length > 0);
}

/** Events that do not fit into a message are shown by number only. */
const maxInMessage = discordLimits.embedTexts - 500;

function joinViews(views: readonly View[]): View {
  const embeds = views.flatMap((view) => view.embeds ?? []);
  let room = maxInMessage;
  const fit = embeds.filter(({ description = "" }) => (room -= description.length + 50) >= 0);
  const rest = embeds.filter((embed) => !fit.includes(embed)).map(({ title }) => title);
  const content = rest.length > 0 ? `More with /rule explain event: ${rest.join(", ")}` : "";
  return { content, embeds: fit, files: views.flatMap((view) => view.files ?? []) };
}

const maxInShort = 12;

/** Why rules did or did not act: first the verdict at the time, condition by condition, then the other rules' answer now. */
function describeExplanation(explanation: Explanation, shown: Shown): View {
  const { eventId, channelId, occurrence, verdicts, note } = explanation;
  const lines = [
    ...describeEvent(occurrence, shown),
    ...(note === undefined ? [] : [`ℹ️ ${escapeText(note)}`]),
    ...verdicts.flatMap(describeVerdict),
    ...describePresent(explanation),
  ];
  const whole = lines.join("\n");
  const { text, fitted } = fitLines(lines, maxListText);
  const cut = fitted < lines.length;
  return {
    ...textView(
      verdicts.length > 0 ? "warning" : "plain",
      cut ? `${text}\n… the file has all of it.` : whole,
      { title: `Event ${showNumber("event", eventId)} in /${channelId}` },
    ),
    ...(cut && { files: [{ name: `event-${eventId}.txt`, text: writeMoments(whole) }] }),
  };
}

function describeEvent(occurrence: Explanation["occurrence"], { author, body }: Shown): string[] {
  if (!occurrence) return [];
  const { event } = occurrence;
  return [
    `${event.kind} ${describeTime(event.occurredAt)} · ${author ? describeUser(author) : "author not known"}`,
    ...(body === undefined ? [] : [body]),
  ];
}

function describeVerdict({ ruleId, version, mode, evaluatedAt, tree, actions }: ExplainedVerdict): string[] {
  const what = tree.truth === true ? "fits" : "could not tell";
  return [
    "",
    `**${ruleId}** (version ${version}, ${mode}) ${what} ${describeTime(evaluatedAt / 1000)}`,
    ...actions.map(({ sentence, outcome, why }) => {
      const reason = why === null ? "" : `: ${escapeText(why, 200)}`;
      return `→ ${escapeText(sentence, 100)}: **${outcomeWords[outcome]}**${reason}`;
    }),
    ...describeTree(tree),
  ];
}

function describePresent({ present, verdicts }: Explanation): string[] {
  if (!present.asked) return ["", `Now no rule would be evaluated: ${escapeText(present.why)}`];
  const { answers, version } = present;
  if (answers.length === 0) return [];
  const head = verdicts.length > 0 ? "The other rules" : "The rules";
  // Without a verdict, the reason is of interest; next to one, the outcome is enough.
  const long = verdicts.length === 0 && answers.length <= 3;
  const shown = answers.slice(0, maxInShort);
  return [
    "",
    `**${head}, evaluated now (version ${version}):**`,
    ...shown.flatMap((answer) => (long ? describeAnswer(answer) : describeAnswer(answer).slice(0, 1))),
    ...(answers.length > shown.length ? [`… and ${answers.length - shown.length} more`] : []),
  ];
}

function describeAnswer({ ruleId, mode, tree }: PresentAnswer): string[] {
  return [`${markOf(tree.truth)} **${ruleId}** ${modeWords[mode]}`, ...describeTree(tree)];
}

/** Actions that no rule did: by whom, by which case and why; and reports and appeals, as moderators see them. */
async function describePeople(context: CommandContext, channelId: string, people: People): Promise<View> {
  const title = `No rule did this in /${channelId}`;
  if ("userId" in people) {
    return textView("plain", `<@${people.userId}> did.`, { title });
  }
  if ("itemId" in people) {
    const { embeds = [] } = await showItem(context, people.itemId, true);
    const description = "Members brought it to the moderators:";
    return { embeds: [{ title, description, color: colors.plain }, ...embeds] };
  }
  const subject = await readCase(context, people.caseId);
  const lookups = await readCaseLookups(context.database.query, [subject]);
  const lines = [
    `It was ${describeCaseActor(subject, lookups.names)}.`,
    describeCaseLine(subject, lookups),
    "/case show shows the whole case.",
  ];
  return textView("plain", lines, { title });
}
