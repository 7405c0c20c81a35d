import { z } from "zod";
import { negate, unknown, type ConditionKind, type Leaf, type Reading } from "../evaluate/condition.ts";
import { castEvents, type Occurrence } from "../evaluate/occurrence.ts";
import { needOf, type Fact, type Facts, type FactSource } from "../facts/fact.ts";
import { hostsOf } from "../links/hosts.ts";
import { readKnownLists, type KnownLists } from "../links/known-lists.ts";
import { castNotKnown, onlyFirstPart } from "./cast-text.ts";

/** The lists' findings on a cast's links. */
interface LinksOnLists {
  /** The first bad link. */
  found: { host: string; entry: string; list: string; at: number } | undefined;
  /** Why others may be bad. */
  missing: string | undefined;
}

const source: FactSource<LinksOnLists, []> = {
  name: "lists of bad links",
  async load(context, wanted) {
    const lists = await readKnownLists(context);
    return wanted.map(({ occurrence }) => lookUp(lists, occurrence, context.clock.now()));
  },
};

/** Whether the operator's lists contain hosts that a cast links to. */
export const linksOnLists = needOf(source);

function lookUp({ rows, find }: KnownLists, occurrence: Occurrence, now: number): Fact<LinksOnLists> {
  const goodAt = new Map(rows.map((row) => [row.name, row.succeeded_at_ms ?? now]));
  const unread = rows.filter(({ revision }) => revision === 0).map(({ name }) => name);
  const listed = hostsOf(occurrence).flatMap((host) => find(host) ?? [])[0];
  return {
    known: true,
    value: {
      found: listed && { ...listed, at: goodAt.get(listed.list) ?? now },
      missing:
        rows.length === 0
          ? "the operator has set no list of bad links (LINK_LISTS)"
          : unread.length > 0
            ? `the list ${unread.join(", ")} was not read yet`
            : undefined,
    },
    source: source.name,
    // As old as the oldest list.
    at: Math.min(now, ...goodAt.values()),
  };
}

function read(occurrence: Occurrence, facts: Facts): Reading {
  const hosts = hostsOf(occurrence);
  const { cast, text } = occurrence;
  const why = !cast || !text ? castNotKnown : text.cut ? onlyFirstPart : undefined;
  if (hosts.length === 0) return why === undefined ? { truth: false, value: null } : unknown(why);
  const fact = facts.read(linksOnLists);
  const from = { source: fact.source, at: fact.at };
  if (!fact.known) return unknown(fact.why, from);
  const { found, missing } = fact.value;
  if (found) {
    const { host, entry, list, at } = found;
    const value = entry === host ? host : `${host}, which belongs to ${entry}`;
    return { truth: true, value, source: `list ${list}`, at };
  }
  const doubt = why ?? missing;
  return doubt === undefined
    ? { truth: false, value: hosts.slice(0, 10).join(", "), ...from }
    : unknown(doubt, from);
}

/** Whether the cast links to a host on a list of bad links, or to one below such a host. */
export const linksKnownBad: ConditionKind = {
  name: "links.known_bad",
  events: castEvents,
  sources: [source],
  schema: () =>
    z.boolean().transform((wanted): Leaf => ({
      needs: [linksOnLists],
      cost: 4,
      sentence: wanted ? "the cast links to a known bad address" : "the cast links to no known bad address",
      ...(wanted && { clues: { links: true } }),
      read(occurrence, facts) {
        const reading = read(occurrence, facts);
        return wanted ? reading : { ...reading, truth: negate(reading.truth) };
      },
    })),
};
