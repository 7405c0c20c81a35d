// @ts-nocheck
import { sql } from "kysely";
import type { Ask, Fact, FactContext, FactSource } from "../evaluate/fact.ts";
import { readAllPages } from "./all-pages.ts";
import { authorNotKnown } from "./author-source.ts";
import { readChannelRoles } from "./channel-roles.ts";
import { inParallel, readNetwork } from "./read-network.ts";

/** The network lists blocks by who blocks: so many people of a channel are asked about. */
const mostAsked = 100;
const mostPages = 5;
/** Milliseconds for which somebody's blocks are kept. */
const lifetime = 300_000;

/** How many block the author, and why there may be more. */
export interface Blockers {
  count: number;
  missing: string | undefined;
}

const blocks: FactSource = {
  name: "blocked users",
  far: true,
  load: (context, wanted) =>
    inParallel(wanted, async ({ occurrence: { channelId, authorFid: fid } }): Promise<Fact<Blockers>> => {
      if (fid === null) return authorNotKnown(blocks.name, context);
      const people = await context.memory.recall(`people:${channelId}`, () => findPeople(context, channelId));
      return people.known ? countBlockers(context, people.value, fid) : people;
    }),
};

/** How many of the channel's moderators and members block the author. */
export const askBlockers: Ask<Blockers> = { key: "blockers", source: blocks };

/** Owner and moderators, then members as last seen, the newest first; one more than are asked about. */
async function findPeople(context: FactContext, channelId: string): Promise<Fact<number[]>> {
  const roles = await readChannelRoles(context, channelId);
  if (!roles.known) return roles;
  const { rows } = await sql<{ fid: number }>`
    select fid from castellan.listing_entries where channel_id = ${channelId} and listing = 'members'
    order by at desc limit ${mostAsked + 1}
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
  const asked = people.slice(0, mostAsked);
  const facts = await inParallel(asked, (blocker) => readBlocks(context, blocker));
  const count = facts.filter((fact) => fact.known && fact.value.has(fid)).length;
  const [unread] = facts.flatMap((fact) => (fact.known ? [] : [fact.why]));
  const unasked =
    people.length > mostAsked ? `only ${mostAsked} people of the channel were asked about` : undefined;
  return {
    known: true,
    value: { count, missing: unread ?? unasked },
    source: blocks.name,
    at: context.clock.now(),
  };
}

function readBlocks(context: FactContext, blocker: number): Promise<Fact<Set<number>>> {
  return context.memory.recall(
    `blocks:${blocker}`,
    () =>
      readNetwork(context, blocks.name, async (signal) => {
        const { items } = await readAllPages(mostPages, async (cursor) => {
          const input = { blockerFid: blocker, limit: 1000, cursor };
          const { result, next } = await context.network.blockedUsers.list(input, { signal });
          return { items: result.blockedUsers, next: next?.cursor };
        });
        return new Set(items.map((block) => block.blockedFid));
      }),
    lifetime,
  );
}
