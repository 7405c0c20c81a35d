// @ts-nocheck
import { escapeText } from "../../text/escape.ts";
import type { LinkChange } from "../../observe/event.ts";
import type { Renderers } from "./renderer.ts";
import { actor, channel, colors, lines, person, reason, when } from "./words.ts";

/** What Castellan tells of itself. */
export const castellanRenderers: Renderers<"case.settled" | "gap.found" | "link.changed"> = {
  "case.settled": (event, facts) => ({
    title: `Case #${event.data.number}: ${words(event.data.kind)} ${words(event.data.state)}`,
    description: lines(
      `${about(event.subjectFid, person(facts, event.subjectFid))}${channel(facts, event)} · ${actor(facts, event)} · ${when(event)}`,
      reason(facts, event),
    ),
    color: event.data.state === "failed" ? colors.grave : colors.calm,
  }),
  "gap.found": (event) => ({
    title: "Events may be missing",
    description: lines(
      `Between <t:${event.data.from}:f> and <t:${event.data.until}:f> the hub's events could not be followed (${escapeText(event.data.source)}).`,
      "Members, bans, invites and restrictions are being read anew; casts and names of that time may be unknown.",
    ),
    color: colors.grave,
  }),
  "link.changed": (event, facts) => ({
    title: `${linkTitles[event.data.change]}: ${channel(facts, event)}`,
    description: `${escapeText(event.data.reason, 600)} · ${when(event)}`,
    color:
      event.data.change === "restored" || event.data.change === "bot_role_back" ? colors.good : colors.grave,
  }),
};

const linkTitles: Record<LinkChange, string> = {
  suspended: "Link suspended",
  restored: "Link restored",
  bot_role_lost: "Castellan is no longer moderator",
  bot_role_back: "Castellan is moderator again",
};

function words(name: string): string {
  return escapeText(name.replaceAll("_", " "));
}

function about(fid: number | null, text: string): string {
  return fid === null ? "" : `${text} · `;
}
