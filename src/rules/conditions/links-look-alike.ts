import { z } from "zod";
import { negate, unknown, type ConditionKind, type Leaf, type Reading } from "../evaluate/condition.ts";
import { castEvents, type Occurrence } from "../evaluate/occurrence.ts";
import { needOf, type FactSource, type Facts } from "../facts/fact.ts";
import { inParallel, readNetwork } from "../facts/read-network.ts";
import { hostsOf, readHost, registrableOf } from "../links/hosts.ts";
import { findLookAlike } from "../links/look-alike.ts";
import { wellKnownNames, type ProtectedName } from "../links/protected-names.ts";
import { castNotKnown, onlyFirstPart } from "./cast-text.ts";

/** Milliseconds for which a channel's link is cached: it hardly ever changes. */
const lifetime = 600_000;
/** Shorter channel names are part of too many others. */
const minName = 4;

const source: FactSource<string | null, []> = {
  name: "the channel's link",
  far: true,
  load: (context, wanted) =>
    inParallel(wanted, ({ occurrence: { channelId } }) =>
      context.cache.get(
        `link:${channelId}`,
        () =>
          readNetwork(context, source.name, async (signal) => {
            const { channel } = await context.network.channels.get({ channelId }, { signal });
            return channel.externalLink?.url ?? null;
          }),
        lifetime,
      ),
    ),
};

/** The channel's own external link. */
export const channelLink = needOf(source);

/** The channel's own name, and that of the site it links to. */
function namesOf(channelId: string, link: string | null): ProtectedName[] {
  const host = link !== null && URL.canParse(link) ? readHost(new URL(link).hostname) : undefined;
  const owner = host === undefined ? undefined : registrableOf(host);
  const domains = owner === undefined ? [] : [owner];
  const [label = ""] = owner?.split(".") ?? [];
  return [
    ...(owner === undefined ? [] : [{ name: label, domains, isWord: label.length < 7 }]),
    ...(channelId.length < minName || channelId === label
      ? []
      : [{ name: channelId.replaceAll("-", ""), domains, isWord: true }]),
  ];
}

function read(occurrence: Occurrence, facts: Facts): Reading {
  const hosts = hostsOf(occurrence);
  const { cast, text, channelId } = occurrence;
  const fact = facts.read(channelLink);
  const names = [...namesOf(channelId, fact.known ? fact.value : null), ...wellKnownNames];
  for (const host of hosts) {
    const why = findLookAlike(host, names);
    if (why !== undefined && fact.known) return { truth: true, value: why };
  }
  if (!cast || !text) return unknown(castNotKnown);
  if (text.cut) return unknown(onlyFirstPart);
  if (hosts.length === 0) return { truth: false, value: null };
  const from = { source: fact.source, at: fact.at };
  return fact.known
    ? { truth: false, value: hosts.slice(0, 10).join(", "), ...from }
    : unknown(fact.why, from);
}

/** Whether a cast links to an address that imitates that of the channel, a wallet or an exchange. */
export const linksLookAlike: ConditionKind = {
  name: "links.look_alike",
  events: castEvents,
  sources: [source],
  schema: () =>
    z.boolean().transform((wanted): Leaf => ({
      needs: [channelLink],
      cost: 6,
      sentence: wanted ? "the cast links to a look-alike address" : "the cast links to no look-alike address",
      ...(wanted && { clues: { links: true } }),
      read(occurrence, facts) {
        const reading = read(occurrence, facts);
        return wanted ? reading : { ...reading, truth: negate(reading.truth) };
      },
    })),
};
