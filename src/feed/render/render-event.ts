import { discordLimits } from "../../limits/discord-limits.ts";
import { en } from "../../languages/en.ts";
import type { PostTexts } from "../../languages/posts/en.ts";
import { colors } from "../../text/colors.ts";
import { cutText, describeTime } from "../../text/message-text.ts";
import { feedKindOf, feedKinds, type AnnouncedEvent, type AnnouncedKind } from "../feed-kinds.ts";
import type { RoomEmbed } from "../rooms.ts";
import { castellanRenderers } from "./castellan-events.ts";
import type { Lookups } from "./lookups.ts";
import { networkRenderers } from "./network-events.ts";
import { lines, type Announcement, type Renderers } from "./phrases.ts";
import { showNumber } from "../../text/numbered.ts";

const renderers: Renderers<AnnouncedKind> = { ...networkRenderers, ...castellanRenderers };

/** An event as an embed; its footer is the event's number, by which the message is found again after a crash. */
export function renderEvent(event: AnnouncedEvent, lookups: Lookups): RoomEmbed {
  // The table maps each kind to the renderer of that kind's events.
  const render = renderers[event.kind] as (event: AnnouncedEvent, lookups: Lookups) => Announcement;
  return renderAnnouncement(event, render(event, lookups));
}

export function renderAnnouncement(
  event: AnnouncedEvent,
  { title, description, color }: Announcement,
): RoomEmbed {
  return {
    title: cutText(title, discordLimits.title),
    description: cutText(description, discordLimits.description),
    color,
    footer: showNumber("event", event.id),
    timestamp: event.occurredAt * 1000,
  };
}

/**
 * A post for readers has no footer: this time identifies it after a crash. Its milliseconds, which Discord stores and does
 * not show, tell apart events of the same second.
 */
export function timeForReaders(seconds: number, eventId: number): number {
  return Math.floor(seconds) * 1000 + (eventId % 1000);
}

export interface DigestEvent {
  id: number;
  kind: AnnouncedKind;
  occurredAt: number;
}

/** Why events are put into a digest: they are old, too many, or the room has digests. */
export type DigestCause = keyof PostTexts["digest"]["titles"];

/**
 * Many events in one embed: their numbers by kind, and the period. Castellan may have been away, the room unreachable, or
 * half the network may have registered a name.
 */
export function renderDigest(
  events: readonly DigestEvent[],
  cause: DigestCause,
  { digest }: PostTexts = en.posts,
  forReaders = false,
): RoomEmbed {
  const counts = feedKinds.flatMap((kind) => {
    const count = events.filter((event) => feedKindOf[event.kind] === kind).length;
    return count === 0 ? [] : [`${digest.kinds[kind]}: **${count}**`];
  });
  const times = events.map((event) => event.occurredAt);
  const from = times.reduce((a, b) => Math.min(a, b));
  const until = times.reduce((a, b) => Math.max(a, b));
  const [first = 0, last = first] = [events[0]?.id, events.at(-1)?.id];
  const title = digest.titles[cause](events.length);
  const period = digest.period(describeTime(from, "f"), describeTime(until, "f"));
  if (forReaders) {
    return {
      title,
      description: lines(period, counts),
      color: colors.muted,
      timestamp: timeForReaders(until, last),
    };
  }
  return {
    title,
    description: lines(
      `${period} ${digest.why[cause]}`,
      counts,
      events.some(({ kind }) => kind === "review.held") ? digest.reviewsOpen : [],
      digest.lookUp,
    ),
    color: colors.muted,
    footer: digest.footer(showNumber("event", first), showNumber("event", last)),
    timestamp: until * 1000,
  };
}
