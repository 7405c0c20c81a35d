// @ts-nocheck
import { escapeText, inlineCode } from "../../text/escape.ts";
import type { ChannelEventOf } from "../../observe/event.ts";
import type { Renderers } from "./renderer.ts";
import { colors, when } from "./words.ts";

type Proof = ChannelEventOf<"username_proof.merged">;

export const proofRenderers: Renderers<"username_proof.merged"> = {
  "username_proof.merged": (event) => ({
    title: `Name ${event.data.change}: ${escapeText(event.data.name, 64)}`,
    description: `${sentences[event.data.change](event)} ${when(event)}`,
    color: event.data.change === "registered" ? colors.calm : colors.warning,
  }),
};

/** Only numbers here: who is called what is the very thing that changes. */
const sentences: Record<Proof["data"]["change"], (event: Proof) => string> = {
  registered: ({ subjectFid, data }) => `${inlineCode(data.name, 64)} now belongs to fid ${subjectFid}.`,
  transferred: ({ subjectFid, data }) =>
    `${inlineCode(data.name, 64)} went from fid ${data.previousFid} to fid ${subjectFid}.`,
  released: ({ subjectFid, data }) =>
    `${inlineCode(data.name, 64)} is free again${subjectFid === null ? "" : `; it was fid ${subjectFid}'s`}.`,
  replaced: ({ subjectFid, data }) =>
    data.previousName === undefined
      ? `fid ${subjectFid} renewed the proof of ${inlineCode(data.name, 64)}.`
      : `fid ${subjectFid} is now ${inlineCode(data.name, 64)} instead of ${inlineCode(data.previousName, 64)}.`,
};
