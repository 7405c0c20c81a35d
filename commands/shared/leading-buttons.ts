import type { BulkSummary } from "../../src/feed/render/bulk-summary.ts";
import { canUndo } from "../../src/feed/render/post-buttons.ts";
import type { RoomButton } from "../../src/feed/rooms.ts";
import { runButton } from "../../src/feed/run-button.ts";
import type { Case } from "../../src/moderation/cases/case.ts";
import { showNumber } from "../../src/text/numbered.ts";

/** Buttons under a case: undo it, show the person, and let rules find the next one. */
export function caseButtons(subject: Case): RoomButton[] {
  const { channelId: channel, subjectFid: fid, kind, targetCast: cast } = subject;
  const user = fid === null ? undefined : String(fid);
  return [
    ...(canUndo({ ...subject, isExpiry: subject.endsCaseId !== null })
      ? [runButton("Undo", "undo", { what: showNumber("case", subject.number), channel })]
      : []),
    ...(subject.kind === "unban" && subject.state === "applied" && user !== undefined
      ? [runButton("Invite again", "invite", { user, channel })]
      : []),
    ...(user === undefined
      ? []
      : [runButton("Who is this?", "who", { user }), runButton("History", "case show", { user, channel })]),
    ...(kind === "hide" && cast !== null ? [runButton("Block…", "list add", { cast })] : []),
  ];
}

/** The button under a bulk that was just begun: stops it, or undoes what is in force of it once it has ended. */
export function bulkButtons({
  number,
  endedAtMs,
  isInForce,
}: Pick<BulkSummary, "number" | "endedAtMs" | "isInForce">): RoomButton[] {
  const written = showNumber("bulk", number);
  const label = endedAtMs === null ? "Stop" : isInForce ? "Undo" : undefined;
  return label === undefined ? [] : [runButton(label, "undo", { what: written })];
}

/** Buttons under a ban by review, for what the question of a ban offers besides. Each asks first. */
export function wideningButtons(
  user: string,
  channel: string,
  may: { hide: boolean; banEverywhere: boolean },
): RoomButton[] {
  return [
    ...(may.hide ? [runButton("Hide their casts…", "hide", { user, channel })] : []),
    ...(may.banEverywhere
      ? [runButton("Everywhere I may ban…", "ban", { user, channel, everywhere: "true" })]
      : []),
  ];
}

const inRow = 5;

/** Buttons that open each item of a list by its number. */
export function openCaseButtons(cases: readonly Pick<Case, "number" | "channelId">[]): RoomButton[][] {
  return inRows(
    cases.map(({ number, channelId: channel }) =>
      runButton(showNumber("case", number), "case show", { number: String(number), channel }),
    ),
  );
}

export function openBulkButtons(bulks: readonly { number: number }[]): RoomButton[][] {
  const numbers = bulks.map(({ number }) => showNumber("bulk", number));
  return inRows(numbers.map((number) => runButton(number, "case show", { number })));
}

function inRows(buttons: readonly RoomButton[]): RoomButton[][] {
  return Array.from({ length: Math.ceil(buttons.length / inRow) }, (_, row) =>
    buttons.slice(row * inRow, (row + 1) * inRow),
  );
}
