import { createHash } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../database/database.ts";
import type { ChannelEvent } from "../../observe/events.ts";
import { orMore } from "../comparisons/number-tests.ts";
import type { ConditionKind } from "../evaluate/condition.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { countSource } from "../facts/count-source.ts";
import { needOf } from "../facts/fact.ts";
import { durationBetween } from "../language/duration.ts";
import { hostsOfAddress } from "../links/address.ts";
import { registrableOf } from "../links/hosts.ts";
import { readText } from "../text/rule-text.ts";
import { addressesOf, domainsOf, leadsOf, nameAddress } from "../text/web-links.ts";
import { factField, leafWhere, notKnown, numberLeaf } from "./make-condition.ts";

/** What counts as the same: the whole domain, or the exact page. */
const kinds = ["domain", "address"] as const;
type Kind = (typeof kinds)[number];

/** A bound on one cast's cost, larger than any useful number. */
const maxOfCast = 10;
/** At most this many casts with one address are read, newest first. */
const maxCasts = 2000;

/** Stores the link targets of new casts, in the transaction that stores the casts. */
export async function storeAddresses(tx: Tx, events: readonly ChannelEvent[]): Promise<void> {
  const rows = events.flatMap((event) => {
    if (event.kind !== "cast.created" || event.channelId === null) return [];
    const { id: event_id, channelId: channel_id, subjectFid: fid, occurredAt: at, data } = event;
    return toAddresses(data).map((one) => ({ event_id, channel_id, fid, ...one, at }));
  });
  if (rows.length === 0) return;
  await sql`
    insert into castellan.cast_addresses
    select * from json_populate_recordset(null::castellan.cast_addresses, ${JSON.stringify(rows)}::text::json)
  `.execute(tx);
}

function toAddresses({
  text,
  embeds,
  castHash: hash,
}: {
  text: string;
  embeds: string[];
  castHash: string;
}): { kind: Kind; address: string }[] {
  const posted = { text: readText(text), cast: { hash, embeds, threadDepth: 0, mentions: null } };
  const domains = new Set(leadsOf(posted).flatMap(hostsOfAddress).map(ownerOf));
  const written = addressesOf(posted).filter((address) => hostsOfAddress(address).length > 0);
  const addresses = new Set(written.map(nameAddress));
  return [
    ...[...domains].slice(0, maxOfCast).map((address) => ({ kind: "domain" as const, address })),
    ...[...addresses].slice(0, maxOfCast).map((address) => ({
      kind: "address" as const,
      address: createHash("sha256").update(address).digest("base64url").slice(0, 16),
    })),
  ];
}

/** The registrable domain, because its owner controls all names below it. */
function ownerOf(domain: string): string {
  return registrableOf(domain) ?? domain;
}

const source = countSource<[within: number, of: Kind]>(
  "addresses of the channel",
  sql`
    select asked.index, max(alike.authors) as count
    from asked join castellan.cast_addresses as own on own.event_id = asked.event and own.kind = asked.kind
    cross join lateral (
      select count(distinct fid) as authors from (
        select fid from castellan.cast_addresses as other
        where other.channel_id = asked.channel and other.address = own.address and other.kind = own.kind
          and other.at > asked.since and other.event_id <= asked.event
        order by other.at desc limit ${sql.lit(maxCasts)}
      ) as latest
    ) as alike
    group by asked.index
  `,
  ({ event }, within, of) => ({ by: "channel", kind: of, since: event.occurredAt - within }),
  () => "Castellan compares addresses from the link on",
);

/**
 * The number of authors in the channel who cast an address of this cast in the seconds up to it, including its own author;
 * 0 without links.
 */
export const authorsOfAddress = (within: number, of: Kind) => needOf(source, within, of);

/** How many people cast the same address, or the same domain. */
export const sameAddress: ConditionKind = {
  name: "same_address",
  events: ["cast.created"],
  sources: [source],
  schema: () =>
    z
      .strictObject({
        of: z.enum(kinds),
        within: durationBetween("1m", "1d"),
        gte: z.int().min(2).max(1000),
      })
      .transform(({ of, within, gte }) => {
        const field = factField(authorsOfAddress(within.seconds, of), (authors) =>
          // The cast itself counts as one.
          authors > 0 ? authors : notKnown("the cast came before Castellan compared addresses"),
        );
        const what = of === "domain" ? "a domain that the cast links to" : "an address of the cast";
        const called = `the number of authors who cast ${what} within ${within.text}:`;
        return leafWhere(numberLeaf(called, field, orMore(gte)), { links: true }, leadsSomewhere[of]);
      }),
};

/** Whether a cast can have an address of the kind (unknown counts as yes). A picture has an address, but no domain. */
const leadsSomewhere = {
  domain: ({ cast, text }: Occurrence) =>
    !cast ||
    !text ||
    text.cut ||
    leadsOf({ cast, text }).some((address) => hostsOfAddress(address).length > 0),
  address: ({ cast, text }: Occurrence) => !cast || !text || text.cut || domainsOf({ cast, text }).length > 0,
};
