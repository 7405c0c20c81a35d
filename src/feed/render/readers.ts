import { everApplied, isOneOf } from "../../database/tables/case-states.ts";
import { bodyOf } from "../../observe/cast-body.ts";
import { discordLimits } from "../../limits/discord-limits.ts";
import { colors } from "../../text/colors.ts";
import { cutText, escapeText, inlineCode } from "../../text/message-text.ts";
import { castAddress, castParts, kindOf, type CastBody } from "../../text/show-cast.ts";
import { isForReaders, type AnnouncedEvent, type AnnouncedKind } from "../feed-kinds.ts";
import type { RoomEmbed } from "../rooms.ts";
import { describeCounts, listChannels } from "./bulk.ts";
import type { Lookups } from "./lookups.ts";
import { nameFields } from "./network-events.ts";
import { channel, lines } from "./phrases.ts";
import { leaderOf } from "./post-group.ts";
import { timeForReaders } from "./render-event.ts";
import { nameOf } from "./rule-hits.ts";

/*
 * Posts for a community. They show what anybody sees on the network: a line for each event, and the text and first picture
 * of casts that the channel shows. Who acted, why, by which rule and in which case stays with the moderators.
 */

/** What follows from another event of the same post needs no line. */
const consequences: readonly AnnouncedKind[] = [
  "member.left",
  "user.restricted",
  "user.unrestricted",
  "invite.ended",
];

/** The most characters of a cast's text, and the most addresses below it. */
const maxText = 600;
const maxAddresses = 4;

/** The events of a group as one embed. */
export function renderForReaders(group: readonly AnnouncedEvent[], lookups: Lookups): RoomEmbed {
  const { texts, linkBase } = lookups;
  const events = group.filter(isForReaders);
  const [first] = group;
  const timestamp = first && timeForReaders(first.occurredAt, first.id);
  const frame = { color: colors.plain, ...(timestamp !== undefined && { timestamp }) };
  // The room was for moderators when this was posted.
  if (events.length === 0) return { ...frame, description: texts.readers.notHere };
  const leader = leaderOf(events);
  const shown = events.filter((event) => event === leader || !consequences.includes(event.kind));
  const all = [...new Set(shown.map((event) => describe(event, lookups)))];
  const [cast] = shown.flatMap((event) => castOf(event, lookups) ?? []);
  if (!cast) return { ...frame, description: cutText(lines(all), discordLimits.description) };
  const [line = "", ...others] = all;
  const title = cutText(line, discordLimits.title);
  if (cast.gone) return { ...frame, title, description: lines(texts.readers.gone, others) };
  const image = cast.body && pictureOf(cast.body);
  return {
    ...frame,
    title,
    description: lines(cast.body ? describeBody(cast.body, image, lookups) : [], others),
    // Discord joins embeds of a message that lead to the same place.
    url: `${castAddress(linkBase, cast.hash)}${leader.kind === "cast.created" ? "" : `#${leader.kind}`}`,
    ...(image !== undefined && { image }),
  };
}

/** One line, without formatting of its own but names and links that are escaped. */
function describe(event: AnnouncedEvent, lookups: Lookups): string {
  const { texts, cases, bulks, casts } = lookups;
  const { titles, hits } = texts;
  const place = channel(lookups, event);
  const named = (title: string, fid = event.subjectFid) =>
    fid === null ? title : hits.headline(title, nameOf(fid, lookups));
  switch (event.kind) {
    case "username_proof.merged":
      return texts.names.titles[event.data.change](escapeText(event.data.name, 64));
    case "cast.created":
      return named(titles[event.data.threadDepth === 0 ? "cast" : "reply"](place));
    case "cast.removed":
      return named(titles.castRemoved(place));
    case "record.hidden":
      return named(titles.hidden(place));
    case "record.unhidden":
      return named(titles.shown(place));
    case "user.banned":
      return named(titles.banned(place));
    case "user.unbanned":
      return named(titles[cases.get(event.id)?.isExpiry === true ? "banOver" : "banLifted"](place));
    case "user.restricted":
      return named(titles.restricted(place));
    case "user.unrestricted":
      return named(titles.unrestricted(place));
    case "member.joined":
      return named(titles.joined(place));
    case "member.left":
      return named(titles[event.caseId === null ? "left" : "removed"](place));
    case "invite.created":
      return named(titles[event.data.role === "moderator" ? "invitedToModerate" : "invited"](place));
    case "invite.ended":
      return named(titles.inviteEnded(place));
    case "pin.changed": {
      const { castHash } = event.data;
      if (castHash === null) return titles.unpinned(place);
      return named(titles.pinned(place), casts.get(castHash)?.fid ?? null);
    }
    case "channel.edited":
      return hits.headline(titles.edited(place), nameFields(event.data.fields, texts));
    case "bulk.begun": {
      const bulk = bulks.get(event.data.bulkId);
      if (!bulk) return texts.bulk.gone;
      const counts = bulk.counts.filter(({ state }) => isOneOf(everApplied, state) && state !== "reverted");
      const what = describeCounts({ ...bulk, counts }, texts) || texts.bulk.kinds[bulk.kind];
      return hits.headline(
        what,
        listChannels(
          bulk.channels.map(({ name }) => escapeText(name, 40)),
          texts.andMore,
        ),
      );
    }
    case "rule.alert":
      return escapeText(event.data.text, 1000);
    default:
      return texts.readers.notHere;
  }
}

interface ShownCast {
  hash: string;
  gone: boolean;
  /** Undefined if it is not stored. */
  body: CastBody | undefined;
}

/** The cast that an event brings to its readers, if it does. */
function castOf(event: AnnouncedEvent, { casts }: Lookups): ShownCast | undefined {
  if (event.kind !== "cast.created" && event.kind !== "record.unhidden" && event.kind !== "pin.changed") {
    return undefined;
  }
  const hash = event.data.castHash;
  if (hash === null) return undefined;
  const known = casts.get(hash);
  const body = event.kind === "cast.created" ? bodyOf(event.data) : known?.body;
  // A cast that is announced was stored: without its row, nothing shows whether it is hidden.
  return { hash, body, gone: known ? known.gone : event.kind === "cast.created" };
}

/** As a quote, in which nothing notifies anybody, becomes a link or formats anything. */
function describeBody(body: CastBody, image: string | undefined, { names, texts }: Lookups): string[] {
  const { text } = castParts(body, names);
  const { shown, parts } = texts.cast;
  const others = body.embeds.filter((address) => toPicture(address) !== image || image === undefined);
  return [
    ...(text === ""
      ? []
      : cutText(text, maxText)
          .split(/\n+/)
          .map((line) => `> ${escapeText(line, maxText)}`)),
    ...others.slice(0, maxAddresses).map((address) => shown[kindOf(address)](inlineCode(address, 300))),
    ...(others.length > maxAddresses ? [shown.moreEmbeds(others.length - maxAddresses)] : []),
    ...(body.quotes.length > 0 ? [parts.quote] : []),
  ];
}

function pictureOf({ embeds }: CastBody): string | undefined {
  return embeds.flatMap((address) => toPicture(address) ?? []).at(0);
}

/** To these hosts apps upload pictures, without an ending in their address. */
const pictureHosts = ["imagedelivery.net", "wrpcd.net"];
const maxAddressLength = 2048;

/** The address of a picture as Discord accepts it: Discord loads it and shows its own copy, so readers stay unknown. */
function toPicture(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, username, password, pathname, href } = new URL(address);
  const isPicture =
    pictureHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)) ||
    (kindOf(address) === "picture" && !/\.svg$/i.test(pathname));
  const isSafe = protocol === "https:" && username + password === "" && href.length <= maxAddressLength;
  return isPicture && isSafe ? href : undefined;
}
