// @ts-nocheck
import { escapeText } from "../../text/escape.ts";
import type { Renderers } from "./renderer.ts";
import { actor, channel, colors, lines, quote, when } from "./words.ts";

export const channelRenderers: Renderers<"pin.changed" | "channel.edited"> = {
  "pin.changed": (event, facts) => {
    const { castHash, previousHash } = event.data;
    const shown = castHash ?? previousHash;
    return {
      title: `${castHash === null ? "Unpinned" : "Pinned"} in ${channel(facts, event)}`,
      description: lines(
        `${actor(facts, event)} · ${when(event)}`,
        shown === null ? [] : quote(facts, shown),
      ),
      color: colors.calm,
    };
  },
  "channel.edited": (event, facts) => ({
    title: `${channel(facts, event)} was edited`,
    description: `Changed: ${escapeText(event.data.fields.join(", "))} · ${when(event)}`,
    color: colors.calm,
  }),
};
