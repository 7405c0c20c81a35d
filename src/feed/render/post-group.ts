import type { ChannelEventOf } from "../../observe/events.ts";
import type { PostTexts } from "../../languages/posts/en.ts";
import { escapeText } from "../../text/message-text.ts";
import { showNumber } from "../../text/numbered.ts";
import type { AnnouncedEvent, AnnouncedKind } from "../feed-kinds.ts";
import type { RoomEmbed } from "../rooms.ts";
import { isBanned, type Lookups } from "./lookups.ts";
import { renderAnnouncement, renderEvent } from "./render-event.ts";
import { describeHits } from "./rule-hits.ts";

/** The kinds that lead a group's text: the first of these in the group. */
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

export function leaderOf(group: readonly AnnouncedEvent[]): AnnouncedEvent {
  const [first] = group;
  if (!first) throw new Error("a group without events");
  // The gap as it is now.
  if (first.kind === "gap.found") return group.at(-1) ?? first;
  for (const kind of leading) {
    const found = group.find((event) => event.kind === kind);
    if (found) return found;
  }
  return first;
}

/**
 * The events of a group, in order, as one embed. The footer is the first event's, by which the message is found again
 * after a crash, whatever followed.
 */
export function renderGroup(group: readonly AnnouncedEvent[], lookups: Lookups): RoomEmbed {
  const leader = leaderOf(group);
  const [hit, ...others] = hitsOf(group);
  const embed = hit
    ? renderAnnouncement(leader, describeHits([hit, ...others], lookups))
    : renderEvent(leader, lookups);
  const [first = leader] = group;
  const isBan = group.some(({ kind }) => kind === "user.banned") || isBanned(leader, lookups);
  const more = group.flatMap((event) =>
    event === leader ? [] : describeFollower(event, leader, isBan, lookups.texts),
  );
  return {
    ...embed,
    description: [embed.description, ...more].join("\n"),
    footer: showNumber("event", first.id),
    timestamp: first.occurredAt * 1000,
  };
}

/** The rule hits of a post. */
export function hitsOf(group: readonly AnnouncedEvent[]): ChannelEventOf<"rule.hit">[] {
  return group.flatMap((event) => (event.kind === "rule.hit" ? [event] : []));
}

/** The other events; nothing for events that the leader's text already covers. */
function describeFollower(
  event: AnnouncedEvent,
  leader: AnnouncedEvent,
  isBan: boolean,
  { followers }: PostTexts,
): string[] {
  switch (event.kind) {
    case "member.left":
      return [followers.left];
    case "user.restricted":
      return [followers.restricted];
    case "user.unrestricted":
      // A ban replaces a restriction.
      return isBan ? [] : [followers.unrestricted];
    case "invite.ended":
      return [followers[leader.kind === "member.joined" ? "accepted" : "inviteEnded"][event.data.role]];
    case "strike.added":
      return [followers.strikes(event.data.points, event.data.total)];
    case "rule.alert":
      return [`📣 ${escapeText(event.data.text, 1000)}`];
    default:
      return [];
  }
}
