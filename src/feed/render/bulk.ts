import type { CaseKind } from "../../database/tables/bot.ts";
import type { BulkKind } from "../../database/tables/moderation.ts";
import { describeOutcome } from "../../moderation/cases/outcome.ts";
import { describeUser } from "../../observe/people.ts";
import { amount } from "../../text/amount.ts";
import { colors } from "../../text/colors.ts";
import { describeTime, escapeText, inlineCode, nameSome } from "../../text/message-text.ts";
import { showNumber } from "../../text/numbered.ts";
import { showUser } from "../../text/show-doer.ts";
import { lines, type Announcement } from "./phrases.ts";
import type { BulkSummary } from "./bulk-summary.ts";
import { everApplied, isOneOf, type CaseState } from "../../database/tables/case-states.ts";

/** A bulk's progress. */
interface BulkProgress {
  /** Cases that changed something, even if undone since. */
  done: number;
  already: number;
  failed: number;
  open: number;
}

export function progressOf({ counts }: BulkSummary): BulkProgress {
  const sum = (...states: CaseState[]) =>
    counts.reduce((total, { state, count }) => total + (isOneOf(states, state) ? count : 0), 0);
  return {
    done: sum(...everApplied),
    already: sum("already"),
    failed: sum("failed"),
    open: sum("requested"),
  };
}

/** Whether nothing is left of it to undo, because that was done. */
export function isUndone({ undoneBy, isInForce }: BulkSummary): boolean {
  return undoneBy.length > 0 && !isInForce;
}

/** A bulk's actions, progress and failures. */
export function describeBulk(bulk: BulkSummary): Announcement {
  const { number, channels, kind, reason, requestedBy, beganAtMs, endedAtMs, stoppedBy, firstCase } = bulk;
  const { open, failed } = progressOf(bulk);
  const state = endedAtMs === null ? "under way" : stoppedBy === null ? "done" : "stopped";
  return {
    title: `${showNumber("bulk", number)} · ${kindWords[kind]} · ${describePlace(channels)} · ${state}`,
    description: lines(
      `**${describeCounts(bulk)}**`,
      channels.length > 1 ? listChannels(channels.map(({ name }) => escapeText(name, 40))) : [],
      describeUsers(bulk),
      bulk.untilMs === null
        ? []
        : `Until ${describeTime(bulk.untilMs / 1000, "f")} (${describeTime(bulk.untilMs / 1000)}).`,
      endedAtMs === null ? describeRest(bulk, open) : [],
      stoppedBy === null ? [] : `Stopped by ${showUser(stoppedBy)}.`,
      `${describeSelection(bulk)} · by ${showUser(requestedBy)} ${describeTime(beganAtMs / 1000)}`,
      reason === null ? [] : `Reason: ${escapeText(reason)}`,
      bulk.undoneBy.length === 0
        ? []
        : `${isUndone(bulk) ? "Undone" : "Partly undone"} by ${bulk.undoneBy.map((one) => showNumber("bulk", one)).join(", ")}.`,
      describeFailures(bulk, failed),
      firstCase === null ? [] : `${describeCases(firstCase, bulk.lastCase ?? firstCase)}, /undo reverts it`,
    ),
    color:
      failed > 0 || stoppedBy !== null ? colors.warning : endedAtMs === null ? colors.plain : colors.good,
  };
}

function describePlace(channels: BulkSummary["channels"]): string {
  const [only, another] = channels;
  return only && !another ? escapeText(only.name, 64) : amount(channels.length, "channel");
}

/** The first of many channels, and the number of the others. */
export function listChannels(names: readonly string[]): string {
  return nameSome(names, maxChannels);
}
const maxChannels = 15;

/** The targets: the first by name, then how many more. */
function describeUsers({ users, userCount, names }: BulkSummary): string[] {
  if (users.length === 0) return [];
  const named = users.map((fid) => describeUser({ fid, name: names.get(fid) })).join(", ");
  return [userCount > users.length ? `${named} and ${userCount - users.length} more` : named];
}

function describeCases(first: number, last: number): string {
  return first === last
    ? `Case ${showNumber("case", first)} · /bulk show shows it`
    : `Cases ${showNumber("case", first)}–${showNumber("case", last)} · /bulk show lists them`;
}

export const kindWords: Record<BulkKind, string> = {
  hide: "Hide",
  unhide: "Unhide",
  ban: "Ban",
  unban: "Unban",
  invite: "Invite",
  undo: "Undo",
};

/** "140 casts hidden, 3 already in that state, 2 failed". */
export function describeCounts(bulk: BulkSummary): string {
  const { done, already, failed } = progressOf(bulk);
  const kinds = [...new Set(bulk.counts.map(({ kind }) => kind))];
  const undone = bulk.counts.reduce((sum, { state, count }) => sum + (state === "reverted" ? count : 0), 0);
  return [
    ...kinds.flatMap((kind) => {
      const count = bulk.counts
        .filter((one) => one.kind === kind && isOneOf(everApplied, one.state))
        .reduce((sum, one) => sum + one.count, 0);
      if (count === 0 && kinds.length > 1) return [];
      // The same user in several channels.
      return kind === "ban" && count > bulk.userCount ? [amount(count, "ban")] : [doneWords[kind](count)];
    }),
    ...(already > 0 ? [`${already} already in that state`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(undone > 0 ? [`${undone === done ? "all" : undone} undone since`] : []),
  ].join(", ");
}

const doneWords: Record<CaseKind, (count: number) => string> = {
  hide: (count) => `${amount(count, "cast")} hidden`,
  unhide: (count) => `${amount(count, "cast")} shown again`,
  ban: (count) => `${amount(count, "user")} banned`,
  unban: (count) => `${amount(count, "ban")} lifted`,
  change_expiry: (count) => `${amount(count, "ban")} given another expiry`,
  invite: (count) => `${amount(count, "user")} invited`,
  revoke_invite: (count) => `${amount(count, "invite")} revoked`,
  remove_member: (count) => `${amount(count, "member")} removed`,
  pin: (count) => `${amount(count, "cast")} pinned`,
  unpin: (count) => `${amount(count, "cast")} unpinned`,
};

function describeRest({ targets, retryAtMs, beganAtMs }: BulkSummary, open: number): string {
  const rest = `${targets - open} of ${targets} so far.`;
  const waits = retryAtMs !== null && retryAtMs > beganAtMs;
  return waits
    ? `${rest} It continues ${describeTime(retryAtMs / 1000)}, because the network limits calls or did not respond.`
    : rest;
}

/** The target selection, in the words of the requester. */
export function describeSelection({ selection, subjectFid, undoes, names }: BulkSummary): string {
  const user =
    subjectFid === null ? "" : ` ${describeUser({ fid: subjectFid, name: names.get(subjectFid) })}`;
  return `${escapeText(selection, 200)}${user}${undoes === null ? "" : ` ${showNumber("bulk", undoes)}`}`;
}

function describeFailures({ failures, names, channels }: BulkSummary, failed: number): string[] {
  const shown = failures.map((failure) => {
    const { number, channelId, fid, cast } = failure;
    const whom =
      fid === null
        ? inlineCode(`${(cast ?? "").slice(0, 10)}…`)
        : describeUser({ fid, name: names.get(fid) });
    const where = channels.length > 1 ? ` in /${channelId}` : "";
    return `✖ ${showNumber("case", number)}${where} ${whom}: ${escapeText(describeOutcome(failure) ?? "failed", 160)}`;
  });
  return failed > shown.length ? [...shown, `… and ${failed - shown.length} more that failed`] : shown;
}
