import { amount } from "../../text/amount.ts";
import { escapeText } from "../../text/message-text.ts";
import { showNumber } from "../../text/numbered.ts";
import type { AnnouncedEvent, AnnouncedKind } from "../feed-kinds.ts";
import type { RoomEmbed } from "../rooms.ts";
import { isBanned, type Lookups } from "./lookups.ts";
import { renderEvent } from "./render-event.ts";

/** Whose words a deed is told with: the first of these that is a part of it. */
const leading: readonly AnnouncedKind[] = [
  "rule.hit",
  "user.banned",
  "user.unbanned",
  "record.hidden",
  "record.unhidden",
  "pin.changed",
  "invite.created",
  "member.joined",
  "member.left",
  "rule.alert",
  "case.settled",
  "strike.added",
];

export function leaderOf(deed: readonly AnnouncedEvent[]): AnnouncedEvent {
  const [first] = deed;
  if (!first) throw new Error("a deed without events");
  // The gap as it is now.
  if (first.kind === "gap.found") return deed.at(-1) ?? first;
  for (const kind of leading) {
    const found = deed.find((event) => event.kind === kind);
    if (found) return found;
  }
  return first;
}

/**
 * The events of a deed, in their order, as one embed. The footer is the first one's, by which the message is found again
 * after a crash, whatever followed.
 */
export function renderDeed(deed: readonly AnnouncedEvent[], lookups: Lookups): RoomEmbed {
  const leader = leaderOf(deed);
  const embed = renderEvent(leader, lookups);
  const [first = leader] = deed;
  const isBan = deed.some(({ kind }) => kind === "user.banned") || isBanned(leader, lookups);
  const more = deed.flatMap((event) => (event === leader ? [] : describeFollower(event, leader, isBan)));
  return {
    ...embed,
    description: [embed.description, ...more].join("\n"),
    footer: showNumber("event", first.id),
    timestamp: first.occurredAt * 1000,
  };
}

/** What else happened; nothing for what the leader's words say already. */
function describeFollower(event: AnnouncedEvent, leader: AnnouncedEvent, isBan: boolean): string[] {
  switch (event.kind) {
    case "member.left":
      return ["No longer a member."];
    case "user.restricted":
      return ["Restricted: can join again only by invite."];
    case "user.unrestricted":
      // A ban takes the place of a restriction.
      return isBan ? [] : ["No longer restricted."];
    case "invite.ended":
      return leader.kind === "member.joined"
        ? [`Accepted the invite as ${event.data.role}.`]
        : [`Their invite as ${event.data.role} has ended.`];
    case "strike.added":
      return [`${amount(event.data.points, "strike point")}, ${event.data.total} now.`];
    case "rule.alert":
      return [`📣 ${escapeText(event.data.text, 1000)}`];
    default:
      return [];
  }
}
