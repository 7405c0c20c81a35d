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
import { countFitting, listCases, type CasePlace } from "../moderation/cases/list-cases.ts";
import { showNumber } from "../text/numbered.ts";
import { withoutEmpty } from "./press.ts";

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
  const start = readPlace(before);
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
    ...(cases.length > pageSize && { next: writePlace(shown.at(-1)) }),
  };
}

/** Where a page ended, for an address. */
function writePlace(last: Case | undefined): string {
  return `${last?.number ?? 0}-${last?.requestedAtMs ?? 0}`;
}

/** Throws `invalid_input` for what no page gave. */
function readPlace(cursor: string | undefined): CasePlace | undefined {
  if (!cursor) return undefined;
  const [, number, ms] = /^(\d{1,9})-(\d{1,15})$/.exec(cursor) ?? [];
  if (number === undefined) throw new AppError("invalid_input", "There is no such page.");
  return { number: Number(number), requestedAtMs: Number(ms) };
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
