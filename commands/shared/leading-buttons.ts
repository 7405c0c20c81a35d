import type { BulkSummary } from "../../src/feed/render/bulk-summary.ts";
import { canUndo } from "../../src/feed/render/post-buttons.ts";
import type { RoomButton } from "../../src/feed/rooms.ts";
import type { Case } from "../../src/moderation/cases/case.ts";
import { encodeCustomId } from "../../src/text/custom-id.ts";
import { showNumber } from "../../src/text/numbered.ts";

/* Buttons that run a command as if whoever presses them had typed it: they give no right, and outlive restarts. */

const run = (label: string, path: string, options: Readonly<Record<string, string>>): RoomButton => ({
  customId: encodeCustomId({ kind: "run", path, options }),
  label,
  style: "secondary",
});

/** Buttons under a case: undo it, show the person, and let rules find the next one. */
export function caseButtons(subject: Case): RoomButton[] {
  const { channelId: channel, subjectFid: fid, kind, targetCast: cast } = subject;
  const user = fid === null ? undefined : String(fid);
  return [
    ...(canUndo({ ...subject, isExpiry: subject.endsCaseId !== null })
      ? [run("Undo", "undo", { what: showNumber("case", subject.number), channel })]
      : []),
    ...(subject.kind === "unban" && subject.state === "applied" && user !== undefined
      ? [run("Invite again", "invite member", { user, channel })]
      : []),
    ...(user === undefined
      ? []
      : [run("Who is this?", "who", { user }), run("History", "case list", { user, channel })]),
    ...(kind === "hide" && cast !== null ? [run("Block…", "list block", { cast })] : []),
  ];
}

/** The button under a bulk that was just begun: stops it, or undoes what is in force of it once it has ended. */
export function bulkButtons({
  number,
  endedAtMs,
  isInForce,
}: Pick<BulkSummary, "number" | "endedAtMs" | "isInForce">): RoomButton[] {
  const written = showNumber("bulk", number);
  if (endedAtMs === null) return [run("Stop", "bulk stop", { number: written })];
  return isInForce ? [run("Undo", "undo", { what: written })] : [];
}

/** Buttons under a ban by review, for what the question of a ban offers besides. Each asks first. */
export function wideningButtons(
  user: string,
  channel: string,
  may: { hide: boolean; banEverywhere: boolean },
): RoomButton[] {
  return [
    ...(may.hide ? [run("Hide their casts…", "bulk hide", { user, channel })] : []),
    ...(may.banEverywhere
      ? [run("Everywhere I may ban…", "ban add", { user, channel, everywhere: "true" })]
      : []),
  ];
}

const inRow = 5;

/** Buttons that open each item of a list by its number. */
export function openCaseButtons(cases: readonly Pick<Case, "number" | "channelId">[]): RoomButton[][] {
  return inRows(
    cases.map(({ number, channelId: channel }) =>
      run(showNumber("case", number), "case view", { number: String(number), channel }),
    ),
  );
}

export function openBulkButtons(bulks: readonly { number: number }[]): RoomButton[][] {
  return inRows(
    bulks.map(({ number }) => run(showNumber("bulk", number), "bulk show", { number: String(number) })),
  );
}

function inRows(buttons: readonly RoomButton[]): RoomButton[][] {
  return Array.from({ length: Math.ceil(buttons.length / inRow) }, (_, row) =>
    buttons.slice(row * inRow, (row + 1) * inRow),
  );
}
