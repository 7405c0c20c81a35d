import type { ChannelEvent, ChannelEventOf, EventKind } from "../../observe/events.ts";
import { describeUser } from "../../observe/people.ts";
import { describeTime, escapeText, inlineCode } from "../../text/message-text.ts";
import { castLink, showCast } from "../../text/show-cast.ts";
import type { EndingCase, Lookups } from "./lookups.ts";
import { showDoer } from "../../text/show-doer.ts";
import { showNumber } from "../../text/numbered.ts";

/** One event as a room shows it; footer and time are added to all alike. */
export interface Announcement {
  title: string;
  description: string;
  color: number;
}

/** The text for each kind of event. */
export type Renderers<K extends EventKind> = {
  [Kind in K]: (event: ChannelEventOf<Kind>, lookups: Lookups) => Announcement;
};

const evidenceLength = 400;

/** Replaces an erased author's words. */
export const erasedWords = "(erased at the author's request)";

export function person(lookups: Lookups, fid: number | null | undefined): string {
  return fid ? describeUser({ fid, name: lookups.names.get(fid) }) : "someone unknown";
}

export function channel(lookups: Lookups, event: ChannelEvent): string {
  if (event.channelId === null) return "the network";
  return escapeText(lookups.channels.get(event.channelId) ?? event.channelId, 64);
}

export function when(event: ChannelEvent): string {
  return describeTime(event.occurredAt);
}

/** The actor, as far as known: one of the server's cases, another server's, or the outside. */
export function actor(lookups: Lookups, event: ChannelEvent): string {
  const found = lookups.cases.get(event.id);
  if (!found) return event.caseId === null ? "outside Castellan" : "by Castellan, for another server";
  const number = `case ${showNumber("case", found.number)}`;
  if (found.actorKind === "rule") return `by rule ${inlineCode(found.ruleId ?? "?", 64)} · ${number}`;
  if (found.isExpiry) return `by Castellan · ${number}`;
  if (found.actorKind === "outside") return `outside Castellan · ${number}`;
  if (found.actorUser === null) return `by Castellan · ${number}`;
  return `by ${showDoer(found.actorUser, found.actorToken)} · ${number}`;
}

/** Its current state: its expiry, or that it is over. */
export function standing(lookups: Lookups, event: ChannelEvent): string[] {
  const found = lookups.cases.get(event.id);
  if (!found) return [];
  const { kind, state, hasExpired, revertedBy, dueAtMs } = found;
  if (state === "reverted" && hasExpired) return ["**Expired.**"];
  if (state === "reverted") return [`**Undone ${revertedBy ? describeEnding(revertedBy) : "since"}.**`];
  if ((kind !== "ban" && kind !== "change_expiry") || dueAtMs === null || state === "failed") return [];
  return [`Until ${describeTime(dueAtMs / 1000, "f")} (${describeTime(dueAtMs / 1000)}).`];
}

/** "by <@5>, C-4". */
export function describeEnding({ number, actorKind, actorUser, actorToken }: EndingCase): string {
  const name = showNumber("case", number);
  if (actorKind === "outside") return `outside Castellan, ${name}`;
  return actorUser === null ? `by ${name}` : `by ${showDoer(actorUser, actorToken)}, ${name}`;
}

export function reason(lookups: Lookups, event: ChannelEvent): string[] {
  const text = lookups.cases.get(event.id)?.reason;
  return text ? [`Reason: ${escapeText(text)}`] : [];
}

/** A cast as evidence: its content, or its hash if it is not stored, and a link. */
export function quote(lookups: Lookups, castHash: string, body = lookups.casts.get(castHash)?.body): string {
  const shown = body ? showCast(body, lookups.names, evidenceLength) : `Cast ${inlineCode(castHash)}`;
  return `${shown}\n${castLink(lookups.linkBase, castHash)}`;
}

export function lines(...parts: (string | readonly string[])[]): string {
  return parts.flat().join("\n");
}

/** The beginning of a line about a user; empty if there is none. */
export function about(lookups: Lookups, fid: number | null): string {
  return fid === null ? "" : `${person(lookups, fid)} · `;
}
