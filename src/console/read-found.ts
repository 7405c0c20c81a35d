import { find } from "../../commands/find.ts";
import {
  describeSearch,
  findPage,
  optionsFor,
  readPlace,
  readSearch,
  searchOptions,
  writePlace,
} from "../../commands/shared/cast-search.ts";
import { describeFound } from "../../commands/shared/describe-found.ts";
import type { CommandContext } from "../discord/command-context.ts";
import type { ArgumentsOf } from "../discord/command.ts";
import { readArguments, typeOptions } from "../discord/run-command.ts";
import { countListed } from "../moderation/bulks/find-casts.ts";
import { describeCounted, maxCounted } from "./paging.ts";
import type { Requested } from "./request-schemas.ts";
import { withoutEmpty } from "./run-button.ts";

const pageSize = 25;

/** A page of casts in the channels that the person can see, with the options of /find. */
export async function readFound(context: CommandContext, { before, ...typed }: Requested) {
  const search = await readTypedSearch(context, typed);
  const { casts, hasMore } = await findPage(context, search, readPlace(before), pageSize);
  const last = casts.at(-1);
  return {
    said: describeSearch(search.filter, search.user),
    /** What a command in bulk takes for all of them; absent for a search without a filter. */
    matching: textsOf(optionsFor(search)),
    casts: await describeFound(context, search.channelIds, casts),
    ...(last && hasMore && { next: writePlace(last) }),
  };
}

/** How many casts match. Apart from the page of casts, because it takes longer and is not needed as often. */
export async function countFound(
  context: CommandContext,
  { before, ...typed }: Requested,
): Promise<{ count: string; from?: number }> {
  const { query } = context.database;
  const { channelIds, hidden, ...search } = await readTypedSearch(context, typed);
  const filter = { ...search.filter, hidden };
  const start = readPlace(before);
  const [count, earlier] = await Promise.all([
    countListed(query, channelIds, filter, undefined, maxCounted + 1),
    start ? countListed(query, channelIds, filter, start, maxCounted + 1) : 0,
  ]);
  return {
    count: describeCounted(count),
    // The place of the first cast in the whole list; absent where counting stopped.
    ...(earlier <= maxCounted && { from: earlier + 1 }),
  };
}

async function readTypedSearch(context: CommandContext, typed: Requested) {
  const raw = typeOptions(find, withoutEmpty(typed));
  // The arguments' types follow from the options.
  const args = (await readArguments(context, searchOptions, raw)) as ArgumentsOf<typeof searchOptions>;
  return readSearch(context, args);
}

function textsOf(options: ReturnType<typeof optionsFor>): Record<string, string> | undefined {
  return options && Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]));
}
