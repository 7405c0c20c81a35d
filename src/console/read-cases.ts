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
import type { Case } from "../moderation/cases/case.ts";
import { readCaseLookups, type CaseLookups } from "../moderation/cases/case-lookups.ts";
import { countFitting, listCases } from "../moderation/cases/list-cases.ts";
import { showNumber } from "../text/numbered.ts";
import { readCursor, withoutEmpty } from "./press.ts";

const pageSize = 25;
/** To count on takes long, and nobody reads so many. */
const mostCounted = 1000;

/** A page of a channel's cases, by the filters of /case list. */
export async function listCasesFor(
  context: CommandContext,
  { before, ...typed }: Readonly<Record<string, string>>,
) {
  // readArguments gives what the options declare.
  const args = (await readArguments(context, filterOptions, withoutEmpty(typed))) as ArgumentsOf<
    typeof filterOptions
  >;
  const { filter, said } = await readFilter(context, args);
  const { query } = context.database;
  const cursor = readCursor(before);
  const start = cursor === undefined ? undefined : Number(cursor);
  const [cases, count] = await Promise.all([
    listCases(query, { ...filter, before: start, limit: pageSize + 1 }),
    countFitting(query, filter, mostCounted + 1),
  ]);
  const shown = cases.slice(0, pageSize);
  const lookups = await readCaseLookups(query, shown);
  return {
    channel: filter.channelId,
    said,
    count: count > mostCounted ? `more than ${mostCounted}` : String(count),
    cases: shown.map((subject) => toRow(subject, lookups)),
    ...(cases.length > pageSize && { next: String(shown.at(-1)?.number) }),
  };
}

/** Each in the words of Discord's markdown, as everywhere. */
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
