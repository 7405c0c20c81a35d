import type { ArgumentsOf, ListPage } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { readCaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import {
  countFitting,
  listCases as readCases,
  type CasePlace,
} from "../../src/moderation/cases/list-cases.ts";
import { amount } from "../../src/text/amount.ts";
import { openCaseButtons } from "../shared/leading-buttons.ts";
import { describeCaseActor, describeCaseLine } from "../shared/describe-case.ts";
import { readFilter, type filterOptions } from "./filter-options.ts";
import { textView } from "../../src/discord/view.ts";

const pageSize = 10;
/** Counting further takes long, and nobody turns that many pages. */
const maxCounted = 1000;

/** A channel's cases, newest first. */
export async function listCases(
  context: CommandContext,
  args: ArgumentsOf<typeof filterOptions>,
  cursor: string | undefined,
): Promise<ListPage> {
  const { filter, said } = await readFilter(context, args);
  const { query } = context.database;
  const before = cursor === undefined ? undefined : readPlace(cursor);
  const [cases, count] = await Promise.all([
    readCases(query, { ...filter, before, limit: pageSize + 1 }),
    countFitting(query, filter, maxCounted + 1),
  ]);
  const shown = cases.slice(0, pageSize);
  const lookups = await readCaseLookups(query, shown);
  const lines = shown.map(
    (subject) => `${describeCaseLine(subject, lookups)} · ${describeCaseActor(subject, lookups.names)}`,
  );
  const last = shown.at(-1);
  const description = [...(said === "" ? [] : [`Only ${said}.`, ""]), ...lines];
  return {
    view: {
      ...textView("plain", last ? description : [...description, "No cases."], {
        title: `Cases of /${filter.channelId}`,
        ...(last && { footer: describeCount(count) }),
      }),
      buttons: openCaseButtons(shown),
    },
    ...(last && cases.length > pageSize && { next: `${last.number} ${last.requestedAtMs}` }),
  };
}

/** Buttons of earlier versions have only the number, which is enough for most lists. */
function readPlace(cursor: string): CasePlace {
  const [number, requestedAtMs] = cursor.split(" ").map(Number);
  return { number: number ?? 0, requestedAtMs: requestedAtMs ?? 0 };
}

function describeCount(count: number): string {
  if (count > maxCounted) return `More than ${maxCounted} cases, ${pageSize} a page`;
  return `${amount(count, "case")} · ${amount(Math.ceil(count / pageSize), "page")}`;
}
