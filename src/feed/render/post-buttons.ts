import { discordLimits } from "../../limits/discord-limits.ts";
import type { PostTexts } from "../../languages/posts/en.ts";
import { showNumber } from "../../text/numbered.ts";
import type { AnnouncedEvent } from "../feed-kinds.ts";
import type { RoomButton } from "../rooms.ts";
import { runButton } from "../run-button.ts";
import { hitsOf, leaderOf } from "./post-group.ts";
import { isBanned, type EventCase, type Lookups } from "./lookups.ts";
import { isUndone } from "./bulk.ts";
import type { BulkSummary } from "./bulk-summary.ts";
import { gravestFirst } from "./rule-hits.ts";

/** Discord's limit, minus the mark that distinguishes posts in one message. */
const longestId = discordLimits.customId - ":_=4".length;

/** Actions offered below an event. */
export function buttonsOf(group: readonly AnnouncedEvent[], lookups: Lookups): RoomButton[] {
  const event = leaderOf(group);
  const { channelId, subjectFid: fid } = event;
  const { buttons: labels, cases: words } = lookups.texts;
  if (channelId === null) return [];
  if (event.kind === "bulk.begun") return buttonsOfBulk(lookups.bulks.get(event.data.bulkId), labels);
  const run = (
    label: string,
    path: string,
    options: Readonly<Record<string, string>>,
    style?: RoomButton["style"],
  ) => runButton(label, path, { ...options, channel: channelId }, style);
  const found = casesOf(event, group, lookups);
  // If not all fit, bans come first.
  const undoable = found.filter(canUndo).toSorted(gravestFirst);
  const castHash = castOf(event, group, lookups);
  const shows = castHash !== undefined && lookups.casts.get(castHash)?.hidden === false;
  const user = fid === null ? undefined : String(fid);
  const others = [
    // Hiding a cast that was unhidden means undoing that.
    ...(shows && canHide.has(event.kind) && !undoable.some(({ kind }) => kind === "unhide")
      ? [run(labels.hide, "hide", { cast: castHash })]
      : []),
    ...(user !== undefined && canBan.has(event.kind) && !isBanned(event, lookups)
      ? [run(labels.banAuthor, "ban", { user }, "danger")]
      : []),
    ...(user === undefined || !hasHistory.has(event.kind)
      ? []
      : [run(labels.history, "case show", { user })]),
    ...(event.kind === "user.unbanned" && user !== undefined && !isBanned(event, lookups)
      ? [run(labels.inviteAgain, "invite", { user })]
      : []),
    ...(event.kind === "lockdown.changed" && event.data.begun
      ? [run(labels.endLockdown, "lockdown", { end: "true" })]
      : []),
    ...(event.kind === "automod.changed" && event.data.paused ? [run(labels.resume, "rule resume", {})] : []),
  ];
  const first = why(event, found, labels);
  const blocked = castHash ?? firstKnownCast(group, lookups);
  // What rules shall find from now on: where a place is left.
  const block =
    blocked !== undefined && canBan.has(event.kind)
      ? [runButton(labels.block, "list add", { cast: blocked })]
      : [];
  const left = discordLimits.buttonsInRow - first.length - others.length;
  const each = undoable.map(({ kind, number }) => {
    const isOneOfKind = undoable.filter((other) => other.kind === kind).length === 1;
    const shown = showNumber("case", number);
    const which = isOneOfKind
      ? labels.undoKind(words.kinds[kind])
      : labels.undoCase(words.kinds[kind], shown);
    return run(found.length > 1 ? which : labels.undo, "undo", { what: shown });
  });
  // Shorter than with a letter each, because ids are.
  const numbers = undoable.map(({ number }) => number).join(" ");
  const all =
    each.length > 1 && each.length > left - block.length
      ? [run(labels.undoAll, "undo", { what: `C-${numbers}` })]
      : [];
  const undo = [...all.filter(isValid), ...each].slice(
    0,
    Math.max(left - (all.length && block.length), Math.min(left, 1), 0),
  );
  return [...first, ...undo, ...others, ...block].filter(isValid).slice(0, discordLimits.buttonsInRow);
}

/** Discord limits the length of ids. */
function isValid({ customId }: RoomButton): boolean {
  return customId.length <= longestId;
}

type Labels = PostTexts["buttons"];
type Kinds = ReadonlySet<AnnouncedEvent["kind"]>;
const canHide: Kinds = new Set(["cast.created", "record.unhidden", "rule.hit"]);
const canBan: Kinds = new Set(["cast.created", "record.hidden", "record.unhidden", "rule.hit"]);
const hasHistory: Kinds = new Set([
  ...canBan,
  "user.banned",
  "user.unbanned",
  "user.restricted",
  "member.joined",
  "member.left",
  "invite.created",
  "strike.added",
  "case.settled",
]);

/** The server's cases related to an event. */
function casesOf(
  event: AnnouncedEvent,
  group: readonly AnnouncedEvent[],
  { cases, hits }: Lookups,
): readonly EventCase[] {
  if (event.kind === "rule.hit") return hitsOf(group).flatMap(({ id }) => hits.get(id)?.cases ?? []);
  const found = cases.get(event.id);
  return found ? [found] : [];
}

/** The only cast of an event. */
function castOf(
  event: AnnouncedEvent,
  group: readonly AnnouncedEvent[],
  { hits }: Lookups,
): string | undefined {
  if (event.kind === "rule.hit") {
    const casts = new Set(hitsOf(group).flatMap(({ id }) => hits.get(id)?.castHash ?? []));
    return casts.size === 1 ? [...casts][0] : undefined;
  }
  return "castHash" in event.data ? (event.data.castHash ?? undefined) : undefined;
}

/** The first of several casts that rules hit, which the post quotes first. */
function firstKnownCast(group: readonly AnnouncedEvent[], { hits, casts }: Lookups): string | undefined {
  return hitsOf(group)
    .flatMap(({ id }) => hits.get(id)?.castHash ?? [])
    .find((hash) => casts.has(hash));
}

/** Explains a rule's hit, leaf by leaf; otherwise shows the case with its actor and reason. */
function why(event: AnnouncedEvent, [found]: readonly EventCase[], labels: Labels): RoomButton[] {
  if (event.kind === "rule.hit")
    return [runButton(labels.why, "rule explain", { event: String(event.data.eventId) })];
  if (!found) return [];
  const number = String(found.number);
  return [runButton(labels.why, "case show", { number, channel: event.channelId ?? "" })];
}

function buttonsOfBulk(bulk: BulkSummary | undefined, labels: Labels): RoomButton[] {
  if (!bulk) return [];
  const written = showNumber("bulk", bulk.number);
  const end = runButton(bulk.endedAtMs === null ? labels.stop : labels.undo, "undo", { what: written });
  const lifted = bulk.counts.some(({ kind, state }) => kind === "unban" && state === "applied");
  return [
    runButton(labels.showAll, "case show", { number: written }),
    ...(isUndone(bulk) ? [] : [end]),
    ...(lifted && bulk.endedAtMs !== null
      ? [runButton(labels.inviteThemAgain, "invite", { bulk: written })]
      : []),
  ];
}

/** Whether /undo may apply; the command itself checks later changes. An expired case has no group. */
export function canUndo({
  state,
  kind,
  targetCast,
  isExpiry,
}: Pick<EventCase, "state" | "kind" | "targetCast" | "isExpiry">): boolean {
  if (isExpiry || (kind === "unpin" && targetCast === null)) return false;
  return state === "applied" || state === "outside";
}
