import { filterOptions, readFilter } from "../../commands/case/filter-options.ts";
import {
  describeCaseActor,
  describeEnd,
  describeState,
  describeTarget,
  kindWords,
} from "../../commands/shared/describe-case.ts";
import type { CommandContext } from "../discord/command-context.ts";
import type { ArgumentsOf } from "../discord/command.ts";
import { readArguments } from "../discord/run-command.ts";
import { AppError } from "../errors.ts";
import type { Case } from "../moderation/cases/case.ts";
import { readCaseLookups, type CaseLookups } from "../moderation/cases/case-lookups.ts";
import { countFitting, listCases, listModerators, type CaseFilter } from "../moderation/cases/list-cases.ts";
import { inlineCode } from "../text/message-text.ts";
import { operator } from "../text/show-doer.ts";
import { showNumber } from "../text/numbered.ts";
import { cutPage, describeCounted, maxCounted, readPlace, writePlace } from "./paging.ts";
import type { Requested } from "./request-schemas.ts";
import { withoutEmpty } from "./run-button.ts";

const noFilter = Object.fromEntries(
  Object.keys(filterOptions).map((name) => [name, undefined]),
) as ArgumentsOf<typeof filterOptions>; // Each of them can be omitted.
const pageSize = 25;

/** A page of a channel's cases, with the filters of /case show. */
export async function listCasesFor(context: CommandContext, { before, ...typed }: Requested) {
  // The arguments' types follow from the options.
  const args = (await readArguments(context, filterOptions, withoutEmpty(typed))) as ArgumentsOf<
    typeof filterOptions
  >;
  const { filter, said } = await readFilter(context, args);
  await requireModerator(context, filter);
  const { query } = context.database;
  const [cases, count] = await Promise.all([
    listCases(query, { ...filter, before: readPlace(before), limit: pageSize + 1 }),
    countFitting(query, filter, maxCounted + 1),
  ]);
  const { shown, more } = cutPage(cases, pageSize, writePlace);
  const lookups = await readCaseLookups(query, shown);
  return {
    channel: filter.channelId,
    said,
    count: describeCounted(count),
    cases: shown.map((subject) => toRow(subject, lookups)),
    ...more,
  };
}

/** The values for the filters of a channel's cases, including its moderators. */
export async function readCaseFilters(context: CommandContext, { channel }: Requested) {
  const { filter } = await readFilter(context, { ...noFilter, channel: channel || undefined });
  const fixed = (name: "action" | "state") => filterOptions[name].choices?.map(({ value }) => String(value));
  const actors = await listModerators(context.database.query, filter);
  // The filter takes a person of this server.
  const moderators = actors.filter((id) => id !== operator);
  return { action: fixed("action"), state: fixed("state"), moderators: moderators.map((id) => `<@${id}>`) };
}

/** Throws `invalid_input` for a person without cases, because an empty list would look like a moderator without actions. */
export async function requireModerator(context: CommandContext, filter: CaseFilter): Promise<void> {
  const { actorUser, channelId } = filter;
  if (actorUser === undefined) return;
  if ((await listModerators(context.database.query, filter)).includes(actorUser)) return;
  throw new AppError(
    "invalid_input",
    `${inlineCode(actorUser, 40)} has done nothing in /${channelId}. Choose a moderator from the list.`,
  );
}

/** Each in Discord's Markdown, like everywhere. */
function toRow(subject: Case, lookups: CaseLookups) {
  return {
    number: showNumber("case", subject.number),
    kind: kindWords[subject.kind],
    target: describeTarget(subject, lookups),
    state: [describeState(subject), ...describeEnd(subject, lookups, "R")].join(" · "),
    isFailed: subject.state === "failed",
    by: describeCaseActor(subject, lookups.names),
    at: subject.requestedAtMs / 1000,
    reason: subject.publicReason,
  };
}
