import type { AppendEvents, ObserveContext } from "./append-events.ts";

/** Runs a look at a source and, when events came of it, wakes those who work on them: after the commit, never within. */
export async function wakeFollowers(
  context: ObserveContext,
  look: (context: ObserveContext) => Promise<void>,
): Promise<void> {
  let happened = false;
  const appendEvents: AppendEvents = async (tx, events) => {
    const stored = await context.appendEvents(tx, events);
    happened ||= stored.length > 0;
    return stored;
  };
  try {
    await look({ ...context, appendEvents });
  } finally {
    if (happened) await Promise.all([context.wake("evaluate-rules"), context.wake("deliver-feed")]);
  }
}
