// @ts-nocheck
import { feedKindOf, feedKinds, type ToldKind } from "../feed-kind.ts";
import type { RoomEmbed } from "../rooms.ts";
import { colors, lines } from "./words.ts";

export interface DigestEvent {
  id: number;
  kind: ToldKind;
  occurredAt: number;
}

/** What happened during a long silence, in one embed: how much of what, and from when to when. */
export function renderDigest(events: readonly DigestEvent[]): RoomEmbed {
  const counts = feedKinds.flatMap((kind) => {
    const count = events.filter((event) => feedKindOf[event.kind] === kind).length;
    return count === 0 ? [] : [`${kind}: **${count}**`];
  });
  const times = events.map((event) => event.occurredAt);
  const from = times.reduce((a, b) => Math.min(a, b));
  const until = times.reduce((a, b) => Math.max(a, b));
  const first = events[0]?.id;
  const last = events.at(-1)?.id;
  return {
    title: `${events.length} events while Castellan was away`,
    description: lines(
      `From <t:${from}:f> to <t:${until}:f>, told together because they are old by now.`,
      counts,
      "Cases and members can be looked up as ever.",
    ),
    color: colors.muted,
    footer: `#${first} to #${last}`,
    timestamp: until * 1000,
  };
}
