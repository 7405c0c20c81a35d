import { sql } from "kysely";
import { userEvents } from "../evaluate/occurrence.ts";
import { readChannelRoles } from "../facts/channel-roles.ts";
import { needOf, type Fact, type FactContext, type FactSource } from "../facts/fact.ts";
import { authorNotKnown, inParallel, readAllPages, readNetwork } from "../facts/read-network.ts";
import { factField, notKnown, numberCondition } from "./make-condition.ts";

/** The network lists blocks by blocker: at most this many of the channel's people are queried. */
const maxAsked = 100;
const maxPages = 5;
/** Milliseconds for which a person's blocks are cached. */
const lifetime = 300_000;

/** How many people block the author, and why there may be more. */
interface Blockers {
  count: number;
  missing: string | undefined;
}

const source: FactSource<Blockers, []> = {
  name: "blocked users",
  far: true,
  load: (context, wanted) =>
    inParallel(wanted, async ({ occurrence: { channelId, authorFid: fid } }): Promise<Fact<Blockers>> => {
      if (fid === null) return authorNotKnown(source.name, context);
      const people = await context.cache.get(`people:${channelId}`, () => findPeople(context, channelId));
      return people.known ? countBlockers(context, people.value, fid) : people;
    }),
};

export const blockers = needOf(source);

/** Owner and moderators, then members as last seen, newest first; one more than are queried. */
async function findPeople(context: FactContext, channelId: string): Promise<Fact<number[]>> {
  const roles = await readChannelRoles(context, channelId);
  if (!roles.known) return roles;
  const { rows } = await sql<{ fid: number }>`
    select fid from castellan.listing_entries where channel_id = ${channelId} and listing = 'members'
    order by at desc limit ${maxAsked + 1}
  `.execute(context.database.query);
  const { owner, moderators } = roles.value;
  const leading = owner === null ? moderators : [owner, ...moderators];
  return { ...roles, value: [...new Set([...leading, ...rows.map((row) => row.fid)])] };
}

async function countBlockers(
  context: FactContext,
  people: readonly number[],
  fid: number,
): Promise<Fact<Blockers>> {
  const asked = people.slice(0, maxAsked);
  const facts = await inParallel(asked, (blocker) => readBlocks(context, blocker));
  const count = facts.filter((fact) => fact.known && fact.value.has(fid)).length;
  const unread = facts.find((fact) => !fact.known);
  const unasked =
    people.length > maxAsked ? `only ${maxAsked} of the channel's people were checked` : undefined;
  return {
    known: true,
    value: { count, missing: unread && !unread.known ? unread.why : unasked },
    missing: unread?.missing,
    source: source.name,
    at: context.clock.now(),
  };
}

function readBlocks(context: FactContext, blocker: number): Promise<Fact<Set<number>>> {
  return context.cache.get(
    `blocks:${blocker}`,
    () =>
      readNetwork(context, source.name, async (signal) => {
        const { items } = await readAllPages(maxPages, async (cursor) => {
          const input = { blockerFid: blocker, limit: 1000, cursor };
          const { result, next } = await context.network.blockedUsers.list(input, { signal });
          return { items: result.blockedUsers, next: next?.cursor };
        });
        return new Set(items.map((block) => block.blockedFid));
      }),
    lifetime,
  );
}

/** How many of the channel's moderators and members block the author. */
export const authorBlockedBy = numberCondition({
  name: "author.blocked_by",
  called: "the number of the channel's people who block the author",
  events: userEvents,
  field: factField(blockers, ({ count, missing }) =>
    missing === undefined ? count : notKnown(missing, count),
  ),
});
