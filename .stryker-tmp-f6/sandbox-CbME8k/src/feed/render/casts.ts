// @ts-nocheck
import type { Renderers } from "./renderer.ts";
import { actor, channel, colors, evidence, lines, person, quote, reason, when } from "./words.ts";

export const castRenderers: Renderers<"cast.created" | "cast.removed" | "record.hidden" | "record.unhidden"> =
  {
    "cast.created": (event, facts) => ({
      title: `${event.data.threadDepth === 0 ? "Cast" : "Reply"} in ${channel(facts, event)}`,
      description: lines(`${person(facts, event.subjectFid)} · ${when(event)}`, evidence(event.data.text)),
      color: colors.muted,
    }),
    "cast.removed": (event, facts) => ({
      title: `Cast removed in ${channel(facts, event)}`,
      description: lines(
        `${person(facts, event.subjectFid)} took it back ${when(event)}`,
        quote(facts, event.data.castHash),
      ),
      color: colors.muted,
    }),
    "record.hidden": (event, facts) => ({
      title: `Cast hidden in ${channel(facts, event)}`,
      description: lines(
        `Of ${person(facts, event.subjectFid)} · ${actor(facts, event)} · ${when(event)}`,
        reason(facts, event),
        quote(facts, event.data.castHash),
      ),
      color: colors.warning,
    }),
    "record.unhidden": (event, facts) => ({
      title: `Cast shown again in ${channel(facts, event)}`,
      description: lines(
        `Of ${person(facts, event.subjectFid)} · ${actor(facts, event)} · ${when(event)}`,
        reason(facts, event),
        quote(facts, event.data.castHash),
      ),
      color: colors.good,
    }),
  };
