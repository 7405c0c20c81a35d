import type { ChannelEvent } from "../../observe/event.ts";
import { codeBlock, escapeText, inlineCode } from "../../text/escape.ts";
import type { Facts } from "./facts.ts";

/** One event as a room reads it; footer and time are added for all alike. */
export interface Told {
  title: string;
  description: string;
  color: number;
}

export const colors = {
  calm: 0x5b8def,
  good: 0x3ba55d,
  warning: 0xe0a030,
  grave: 0xd9534f,
  muted: 0x8a8f98,
} as const;

const evidenceLength = 400;

/** What stands where an author's words stood. */
export const erasedWords = "(erased at the author's request)";

/** A user by name and number: names change hands, numbers do not. */
export function person(facts: Facts, fid: number | null | undefined): string {
  if (!fid) return "someone unknown";
  const name = facts.names.get(fid);
  return name === undefined ? `fid ${fid}` : `**${escapeText(name, 64)}** (fid ${fid})`;
}

export function channel(facts: Facts, event: ChannelEvent): string {
  if (event.channelId === null) return "the network";
  return escapeText(facts.channels.get(event.channelId) ?? event.channelId, 64);
}

export function when(event: ChannelEvent): string {
  return `<t:${event.occurredAt}:R>`;
}

/** Who did it, as far as we know: one of the server's cases, another server's, or the outside. */
export function actor(facts: Facts, event: ChannelEvent): string {
  const found = facts.cases.get(event.id);
  if (!found) return event.caseId === null ? "not through Castellan" : "by Castellan, for another server";
  const number = `case #${found.number}`;
  if (found.actorKind === "rule") return `by rule ${inlineCode(found.ruleId ?? "?", 64)} · ${number}`;
  if (found.endsInTime) return `by Castellan · ${number}`;
  if (found.actorKind === "outside") return `not through Castellan · ${number}`;
  return found.actorUser === null ? `by Castellan · ${number}` : `by <@${found.actorUser}> · ${number}`;
}

export function reason(facts: Facts, event: ChannelEvent): string[] {
  const text = facts.cases.get(event.id)?.reason;
  return text ? [`Reason: ${escapeText(text)}`] : [];
}

/** A cast as evidence: its author and text as written, or its hash when we do not know it. */
export function quote(facts: Facts, castHash: string): string {
  const cast = facts.casts.get(castHash);
  return cast ? codeBlock(cast.text, evidenceLength) : `Cast ${inlineCode(castHash)}`;
}

export function evidence(text: string): string {
  return codeBlock(text, evidenceLength);
}

export function lines(...parts: (string | readonly string[])[]): string {
  return parts.flat().join("\n");
}
