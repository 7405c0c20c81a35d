// @ts-nocheck
import type { ChannelEvent } from "../../observe/event.ts";
import type { Facts } from "./facts.ts";
import type { Renderers } from "./renderer.ts";
import { actor, channel, colors, lines, person, reason, when, type Told } from "./words.ts";

export const peopleRenderers: Renderers<
  | "user.banned"
  | "user.unbanned"
  | "user.restricted"
  | "user.unrestricted"
  | "member.joined"
  | "member.left"
  | "invite.created"
  | "invite.ended"
> = {
  "user.banned": (event, facts) => tell(event, facts, "Banned from", colors.grave),
  "user.unbanned": (event, facts) => tell(event, facts, "Ban lifted in", colors.good),
  "user.restricted": (event, facts) =>
    tell(event, facts, "Restricted in", colors.warning, "Joins again only by invite."),
  "user.unrestricted": (event, facts) => tell(event, facts, "No longer restricted in", colors.muted),
  "member.joined": (event, facts) => ({
    title: `Joined ${channel(facts, event)}`,
    description: `${person(facts, event.subjectFid)} is a member since ${when(event)}`,
    color: colors.good,
  }),
  "member.left": (event, facts) => ({
    title: `No longer a member of ${channel(facts, event)}`,
    description: `${person(facts, event.subjectFid)} · ${when(event)}`,
    color: colors.muted,
  }),
  "invite.created": (event, facts) =>
    tell(
      event,
      facts,
      `Invited to ${event.data.role === "moderator" ? "moderate" : "join"}`,
      colors.calm,
      `Invited by ${person(facts, event.data.inviterFid)}.`,
    ),
  "invite.ended": (event, facts) => ({
    title: `Invite ended in ${channel(facts, event)}`,
    // The listing shows what is outstanding, not how it ended.
    description: `${person(facts, event.subjectFid)} has answered the invite as ${event.data.role}, or it was taken back · ${when(event)}`,
    color: colors.muted,
  }),
};

function tell(event: ChannelEvent, facts: Facts, what: string, color: number, also?: string): Told {
  return {
    title: `${what} ${channel(facts, event)}`,
    description: lines(
      `${person(facts, event.subjectFid)} · ${actor(facts, event)} · ${when(event)}`,
      also ?? [],
      reason(facts, event),
    ),
    color,
  };
}
