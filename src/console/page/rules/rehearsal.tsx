import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import type { Refused } from "../../../web/kit/request.ts";
import { takeForm } from "../../../web/kit/take-form.ts";
import type { ViewAnswer } from "../ask.ts";
import type { PartProps } from "../part.ts";
import { ChannelField } from "../fields.tsx";
import { Problem } from "../parts.tsx";
import { View } from "../view.tsx";

interface RehearsalProps extends Pick<PartProps, "desk" | "server"> {
  rule: string | undefined;
  typed: string;
}

/** Tests the draft on recent events: shows the progress, then what the rules would have done. */
export function Rehearsal({ desk, server, rule, typed }: RehearsalProps) {
  const [state, setState] = useState<{ isBusy?: boolean; answer?: ViewAnswer; problem?: Refused }>({});
  const { isBusy = false, answer, problem } = state;
  const start = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    const { days, channel } = takeForm(event);
    setState({ isBusy: true });
    const tried = { rule, source: typed, days: Number(days), channel: channel || undefined };
    desk
      .send("/rules/rehearse", tried, (progress) => setState({ isBusy: true, answer: progress }))
      .then(
        (answer) => setState({ answer }),
        (problem: Refused) => setState({ problem }),
      );
  };
  const channels = server.channels.filter(({ may }) => may.includes("rules"));
  return (
    <section class="rehearsal" aria-label="Rehearsal">
      <form class="filters" onSubmit={start}>
        <label>
          Days back <input name="days" type="number" min="1" max="365" value="7" required />
        </label>
        <ChannelField channels={channels} all />
        <button class="button secondary" disabled={isBusy}>
          Test on past events
        </button>
      </form>
      <div aria-live="polite">
        {isBusy && <progress aria-label="Testing the rules"></progress>}
        {problem && <Problem problem={problem} />}
        {answer && (
          <div class="card">
            <View view={answer.view} names={answer.names} />
          </div>
        )}
      </div>
    </section>
  );
}
