import type { DeskAnswers } from "./ask.ts";
import { Words, type Known } from "./view.tsx";

export type ChannelState = DeskAnswers["/channels"]["channels"][number];

/** That a channel is locked down, or its rules are paused: since when, until when, who did it and why. */
export function ChannelStates({ channel, names }: { channel: ChannelState; names: Known }) {
  const { id, lockdown, pause } = channel;
  return (
    <>
      {lockdown && (
        <p>
          <Words
            text={`/${id} is **locked down** ${describe(lockdown)} ${lockdown.hidden}${reasonOf(lockdown)}`}
            names={names}
          />
        </p>
      )}
      {pause && (
        <p>
          <Words text={`Rules are **paused** in /${id} ${describe(pause)}${reasonOf(pause)}`} names={names} />
        </p>
      )}
    </>
  );
}

type Measure = NonNullable<ChannelState["pause"]>;

function describe({ by, since, until }: Measure): string {
  const end = until === null ? "until somebody resumes them" : `until <t:${Math.floor(until)}:f>`;
  return `by ${by} since <t:${Math.floor(since)}:f>, ${end}.`;
}

function reasonOf({ reason }: Measure): string {
  return reason === null ? "" : ` Reason: ${reason}`;
}
