import { en } from "../../languages/en.ts";
import type { PostTexts } from "../../languages/posts/en.ts";
import { describeOutcome } from "../../moderation/cases/outcome.ts";
import { describeUser } from "../../observe/people.ts";
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
export function describeBulk(bulk: BulkSummary, texts: PostTexts = en.posts): Announcement {
  const { number, channels, kind, reason, requestedBy, beganAtMs, endedAtMs, stoppedBy, firstCase } = bulk;
  const { open, failed } = progressOf(bulk);
  const state = endedAtMs === null ? "underWay" : stoppedBy === null ? "done" : "stopped";
  const words = texts.bulk;
  return {
    title: `${showNumber("bulk", number)} · ${words.kinds[kind]} · ${describePlace(channels, words)} · ${words.states[state]}`,
    description: lines(
      `**${describeCounts(bulk, texts)}**`,
      channels.length > 1
        ? listChannels(
            channels.map(({ name }) => escapeText(name, 40)),
            texts.andMore,
          )
        : [],
      describeUsers(bulk, texts),
      bulk.untilMs === null
        ? []
        : texts.until(describeTime(bulk.untilMs / 1000, "f"), describeTime(bulk.untilMs / 1000)),
      endedAtMs === null ? describeRest(bulk, open, words) : [],
      stoppedBy === null ? [] : words.stoppedBy(showUser(stoppedBy, texts.doers)),
      words.selectedBy(
        describeSelection(bulk),
        showUser(requestedBy, texts.doers),
        describeTime(beganAtMs / 1000),
      ),
      reason === null ? [] : texts.reason(escapeText(reason)),
      describeUndone(bulk, words),
      describeFailures(bulk, failed, texts),
      firstCase === null ? [] : describeCases(firstCase, bulk.lastCase ?? firstCase, words),
    ),
    color:
      failed > 0 || stoppedBy !== null ? colors.warning : endedAtMs === null ? colors.plain : colors.good,
  };
}

type Words = PostTexts["bulk"];

function describePlace(channels: BulkSummary["channels"], words: Words): string {
  const [only, another] = channels;
  return only && !another ? escapeText(only.name, 64) : words.channels(channels.length);
}

function describeUndone(bulk: BulkSummary, words: Words): string[] {
  if (bulk.undoneBy.length === 0) return [];
  const numbers = bulk.undoneBy.map((one) => showNumber("bulk", one)).join(", ");
  return [isUndone(bulk) ? words.undone(numbers) : words.partlyUndone(numbers)];
}

/** The first of many channels, and the number of the others. */
export function listChannels(names: readonly string[], andMore?: PostTexts["andMore"]): string {
  return nameSome(names, maxChannels, String, andMore);
}
const maxChannels = 15;

/** The targets: the first by name, then how many more. */
function describeUsers({ users, userCount, names }: BulkSummary, { andMore }: PostTexts): string[] {
  if (users.length === 0) return [];
  const named = users.map((fid) => describeUser({ fid, name: names.get(fid) })).join(", ");
  return [userCount > users.length ? andMore(named, userCount - users.length) : named];
}

function describeCases(first: number, last: number, words: Words): string {
  return first === last
    ? words.oneCase(showNumber("case", first))
    : words.cases(showNumber("case", first), showNumber("case", last));
}

/** "140 casts hidden, 3 already in that state, 2 failed". */
export function describeCounts(bulk: BulkSummary, { bulk: words, cases }: PostTexts = en.posts): string {
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
      return kind === "ban" && count > bulk.userCount ? [words.bans(count)] : [cases.counted[kind](count)];
    }),
    ...(already > 0 ? [words.already(already)] : []),
    ...(failed > 0 ? [words.failed(failed)] : []),
    ...(undone > 0 ? [undone === done ? words.allUndone : words.undoneSince(undone)] : []),
  ].join(", ");
}

function describeRest({ targets, retryAtMs, beganAtMs }: BulkSummary, open: number, words: Words): string {
  const rest = words.soFar(targets - open, targets);
  const waits = retryAtMs !== null && retryAtMs > beganAtMs;
  return waits ? `${rest} ${words.continues(describeTime(retryAtMs / 1000))}` : rest;
}

/** The target selection, in the words of the requester. */
export function describeSelection({ selection, subjectFid, undoes, names }: BulkSummary): string {
  const user =
    subjectFid === null ? "" : ` ${describeUser({ fid: subjectFid, name: names.get(subjectFid) })}`;
  return `${escapeText(selection, 200)}${user}${undoes === null ? "" : ` ${showNumber("bulk", undoes)}`}`;
}

function describeFailures(
  { failures, names, channels }: BulkSummary,
  failed: number,
  { bulk: words, outcomes, moreFailed }: PostTexts,
): string[] {
  const shown = failures.map((failure) => {
    const { number, channelId, fid, cast } = failure;
    const target =
      fid === null
        ? inlineCode(`${(cast ?? "").slice(0, 10)}…`)
        : describeUser({ fid, name: names.get(fid) });
    const why = escapeText(describeOutcome(failure, outcomes) ?? words.failedOnly, 160);
    return channels.length > 1
      ? words.failureIn(showNumber("case", number), channelId, target, why)
      : words.failure(showNumber("case", number), target, why);
  });
  return failed > shown.length ? [...shown, moreFailed(failed - shown.length)] : shown;
}
