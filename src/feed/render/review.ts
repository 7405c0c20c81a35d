import { describeUser } from "../../observe/people.ts";
import { amount } from "../../text/amount.ts";
import { colors } from "../../text/colors.ts";
import { encodeCustomId } from "../../text/custom-id.ts";
import { codeBlock, describeTime, escapeText, inlineCode } from "../../text/message-text.ts";
import type { RoomButton } from "../rooms.ts";
import type { HeldReview } from "./lookups.ts";
import { lines, type Announcement } from "./phrases.ts";
import { showNumber } from "../../text/numbered.ts";

const evidenceLength = 600;

/** What a person sees of something that a rule held: whom it concerns, why, and what came of it. */
export function describeReview(item: HeldReview): Announcement {
  const { channelName, queue, ruleId, ruleVersion, why, evidence, sentences, state } = item;
  return {
    title: `Review ${showNumber("review", item.id)} · ${escapeText(queue, 40)} · ${escapeText(channelName, 64)}`,
    description: lines(
      `${author(item)} · held ${describeTime(item.heldAtMs / 1000)}`,
      `Rule ${inlineCode(ruleId, 64)}, version ${ruleVersion}${why === null ? "" : `: ${escapeText(why, 300)}`}`,
      `Approve would: ${sentences.map((sentence) => inlineCode(sentence, 80)).join(", ") || "nothing; the rule only asks for a look"}`,
      `${amount(item.cases, "earlier case")} · ${amount(item.points, "strike point")}`,
      evidence === null ? [] : codeBlock(evidence, evidenceLength),
      outcomeOf(item),
    ),
    color: state === "open" ? colors.warning : colors.muted,
  };
}

function author({ fid, name }: HeldReview): string {
  return fid === null ? "someone unknown" : describeUser({ fid, name });
}

function outcomeOf({ state, claimedBy, decidedBy }: HeldReview): string {
  if (state === "open") return claimedBy === null ? "Open." : `<@${claimedBy}> is looking at it.`;
  return `${decided[state]} by <@${decidedBy}>.`;
}

const decided: Record<Exclude<HeldReview["state"], "open">, string> = {
  approved: "Approved",
  hidden: "Hidden",
  banned: "Banned",
  dismissed: "Dismissed: nothing was done,",
};

/** What can be done about it; nothing once it is decided. */
export function reviewButtons(item: HeldReview): RoomButton[][] {
  if (item.state !== "open") return [];
  const button = (choice: string, label: string, style: RoomButton["style"]): RoomButton => ({
    customId: reviewButtonId(item.tag, choice),
    label,
    style,
  });
  return [
    [
      ...(item.sentences.length > 0 ? [button("approve", "Approve", "success")] : []),
      ...(item.castHash === null ? [] : [button("hide", "Hide", "danger")]),
      ...(item.fid === null ? [] : [button("ban", "Ban", "danger")]),
      button("dismiss", "Dismiss", "secondary"),
      ...(item.claimedBy === null ? [button("claim", "Claim", "primary")] : []),
    ],
  ];
}

/** `tag` names what is held, `choice` what the button does about it. */
export function reviewButtonId(tag: string, choice: string): string {
  return encodeCustomId({ kind: "command", command: "review", words: [tag, choice] });
}
