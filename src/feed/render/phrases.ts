import type { ChannelEvent, ChannelEventOf, EventKind } from "../../observe/events.ts";
import { describeUser } from "../../observe/people.ts";
import { describeTime, escapeText, inlineCode } from "../../text/message-text.ts";
import { en } from "../../languages/en.ts";
import type { PostTexts } from "../../languages/posts/en.ts";
import { capitalize } from "../../text/capitalize.ts";
import { castLink, showCast, type CastBody } from "../../text/show-cast.ts";
import type { EventCase, Lookups } from "./lookups.ts";
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

/** Replaces an erased author's words in rows. */
export const erasedWords = en.posts.cast.erased;

export function person({ names, texts }: Lookups, fid: number | null | undefined): string {
  return fid ? describeUser({ fid, name: names.get(fid) }) : texts.someone;
}

export function channel({ channels, texts }: Lookups, event: ChannelEvent): string {
  if (event.channelId === null) return texts.network;
  return escapeText(channels.get(event.channelId) ?? event.channelId, 64);
}

export function when(event: ChannelEvent): string {
  return describeTime(event.occurredAt);
}

/** The actor, as far as known: one of the server's cases, another server's, or the outside. */
export function actor({ cases, texts }: Lookups, event: ChannelEvent): string {
  const { actors, doers } = texts;
  const found = cases.get(event.id);
  if (!found) return event.caseId === null ? actors.unknown : actors.otherServer;
  const number = showNumber("case", found.number);
  if (found.actorKind === "rule") return actors.rule(inlineCode(found.ruleId ?? "?", 64), number);
  if (found.isExpiry) return actors.castellan(number);
  if (found.actorKind === "outside") return actors.outside(number);
  if (found.actorUser === null) return actors.castellan(number);
  return actors.person(showDoer(found.actorUser, found.actorToken, doers), number);
}

/** Its current state: its expiry, or that it is over. */
export function standing({ cases, texts }: Lookups, event: ChannelEvent): string[] {
  const found = cases.get(event.id);
  if (!found) return [];
  const { kind, state, dueAtMs } = found;
  if (state === "reverted") return [texts.over(capitalize(describeEnding(found, texts)))];
  if ((kind !== "ban" && kind !== "change_expiry") || dueAtMs === null || state === "failed") return [];
  return [texts.until(describeTime(dueAtMs / 1000, "f"), describeTime(dueAtMs / 1000))];
}

/** How a case that is over ended: "expired", "undone by <@5>, C-4". */
export function describeEnding(
  { hasExpired, revertedBy }: Pick<EventCase, "hasExpired" | "revertedBy">,
  { endings, doers }: PostTexts,
): string {
  if (hasExpired) return endings.expired;
  if (!revertedBy) return endings.since;
  const { number, actorKind, actorUser, actorToken } = revertedBy;
  const name = showNumber("case", number);
  if (actorKind === "outside") return endings.outside(name);
  return actorUser === null
    ? endings.castellan(name)
    : endings.person(showDoer(actorUser, actorToken, doers), name);
}

export function reason({ cases, texts }: Lookups, event: ChannelEvent): string[] {
  const text = cases.get(event.id)?.reason;
  return text ? [texts.reason(escapeText(text))] : [];
}

/** A cast as evidence: its content, or its hash if it is not stored, and a link. */
export function quote(lookups: Lookups, castHash: string, body = lookups.casts.get(castHash)?.body): string {
  const { names, texts, linkBase } = lookups;
  const shown = body ? quoteBody(body, names, evidenceLength, texts) : texts.cast.hash(inlineCode(castHash));
  return `${shown}\n${castLink(linkBase, castHash, texts.cast.link)}`;
}

export function quoteBody(
  body: CastBody,
  names: Lookups["names"],
  maximum: number,
  texts: PostTexts,
): string {
  return showCast(body, names, maximum, texts.cast.shown, texts.andMore);
}

/** The first of several, one per line, and a line with the number of the others. */
export function listFirst(all: readonly string[], max: number, more: (count: number) => string): string[] {
  return all.length > max ? [...all.slice(0, max), more(all.length - max)] : [...all];
}

/** "a, b and c" in the room's language. */
export function joinAll(all: readonly string[], { locale }: PostTexts): string {
  return new Intl.ListFormat(locale).format(all);
}

export function lines(...parts: (string | readonly string[])[]): string {
  return parts.flat().join("\n");
}

/** The beginning of a line about a user; empty if there is none. */
export function about(lookups: Lookups, fid: number | null): string {
  return fid === null ? "" : `${person(lookups, fid)} · `;
}
