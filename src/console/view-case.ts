import { mayEdit, requireCase } from "../../commands/case/require-case.ts";
import { showWithChanges } from "../../commands/case/show-with-changes.ts";
import type { CommandContext } from "../discord/command-context.ts";
import type { RoomButton } from "../feed/rooms.ts";
import { isBanKind, type Case } from "../moderation/cases/case.ts";
import { encodeCustomId } from "../text/custom-id.ts";
import { showNumber } from "../text/numbered.ts";
import { toPageView, type PageView } from "./page-view.ts";

interface ViewedCase {
  view: PageView;
  /** The parts that this person can edit; absent if there are none. */
  edits?: {
    reason: string;
    /** Whether it has an expiry that can be changed. */
    duration: boolean;
  };
}

/** One case with its comments and available actions. */
export async function viewCase(
  context: CommandContext,
  channel: string,
  number: number,
): Promise<ViewedCase> {
  const subject = await requireCase(context, channel, number);
  const [view, isEditor] = await Promise.all([showWithChanges(context, subject), mayEdit(context, subject)]);
  const edits = {
    reason: subject.publicReason ?? "",
    duration: isBanKind(subject.kind) && isDone(subject),
  };
  const shown = toPageView({ ...view, buttons: [buttonsOf(subject, channel)] });
  return { view: shown, ...(isEditor && { edits }) };
}

function isDone({ state }: Case): boolean {
  return state === "applied" || state === "outside";
}

function buttonsOf(subject: Case, channel: string): RoomButton[] {
  const options = { what: showNumber("case", subject.number), channel };
  const fid = subject.subjectFid;
  const undo = encodeCustomId({ kind: "run", path: "undo", options });
  const who = encodeCustomId({ kind: "run", path: "who", options: { user: String(fid) } });
  return [
    ...(isDone(subject) ? [{ customId: undo, label: "Undo", style: "danger" as const }] : []),
    ...(fid === null ? [] : [{ customId: who, label: "Who is this?", style: "secondary" as const }]),
  ];
}
