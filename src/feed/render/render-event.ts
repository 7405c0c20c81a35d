import { discordLimits } from "../../limits/discord-limits.ts";
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

export interface DigestEvent {
  id: number;
  kind: AnnouncedKind;
  occurredAt: number;
}

const digestWords = {
  old: {
    title: "events that could not be posted in time",
    why: "They are summarized because they are already old.",
  },
  flood: {
    title: "events that came faster than they can be posted",
    why: "They are summarized so that new events do not have to wait.",
  },
  sum: {
    title: "events",
    why: "They are summarized because this room has digests on (/feed room).",
  },
} as const;

/**
 * Many events in one embed: their numbers by kind, and the period. Castellan may have been away, the room unreachable, or
 * half the network may have registered a name.
 */
export function renderDigest(events: readonly DigestEvent[], cause: keyof typeof digestWords): RoomEmbed {
  const counts = feedKinds.flatMap((kind) => {
    const count = events.filter((event) => feedKindOf[event.kind] === kind).length;
    return count === 0 ? [] : [`${kind}: **${count}**`];
  });
  const times = events.map((event) => event.occurredAt);
  const from = times.reduce((a, b) => Math.min(a, b));
  const until = times.reduce((a, b) => Math.max(a, b));
  const [first = 0, last = first] = [events[0]?.id, events.at(-1)?.id];
  const { title, why } = digestWords[cause];
  return {
    title: `${events.length} ${title}`,
    description: lines(
      `From ${describeTime(from, "f")} to ${describeTime(until, "f")}. ${why}`,
      counts,
      events.some(({ kind }) => kind === "review.held")
        ? "Reviews are still open: /review show lists them."
        : [],
      "Cases and members can still be looked up.",
    ),
    color: colors.muted,
    footer: `${showNumber("event", first)} to ${showNumber("event", last)}`,
    timestamp: until * 1000,
  };
}
