import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { takeForm } from "../../web/kit/take-form.ts";
import type { PartProps } from "./part.ts";
import { SuggestingField } from "./parts.tsx";

const decisions = {
  approve: "Approve",
  hide: "Hide the casts",
  ban: "Ban the authors",
  dismiss: "Dismiss",
};

interface DecideSeveralProps extends Pick<PartProps, "desk" | "onRun"> {
  numbers: readonly string[];
  onNone: () => void;
}

/** Decides the selected reviews. Shows the effect and asks for confirmation before anything is done. */
export function DecideSeveral({ desk, numbers, onRun, onNone }: DecideSeveralProps) {
  const [decision, setDecision] = useState("dismiss");
  const [isBusy, setBusy] = useState(false);
  if (numbers.length === 0) return null;
  const decide = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    const options = takeForm(event);
    setBusy(true);
    await onRun("review decide", { ...options, reviews: numbers.join(" ") });
    setBusy(false);
  };
  return (
    <form class="filters several" aria-label="Decide selected reviews" onSubmit={decide}>
      <p role="status">
        {numbers.length === 1 ? `${numbers[0]} is selected.` : `${numbers.length} are selected.`}
      </p>
      <label>
        Decision
        <select name="decision" value={decision} onChange={(event) => setDecision(event.currentTarget.value)}>
          {Object.entries(decisions).map(([one, title]) => (
            <option key={one} value={one}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {decision === "ban" && (
        <>
          <SuggestingField
            desk={desk}
            path="review decide"
            option="duration"
            label="Ban duration"
            maxlength={20}
            placeholder="7d; asked if empty"
          />
          <SuggestingField
            desk={desk}
            path="review decide"
            option="reason"
            label="Reason, which the user may see"
            maxlength={300}
          />
        </>
      )}
      <button class="button primary" disabled={isBusy}>
        Decide them…
      </button>
      <button type="button" class="button quiet" onClick={onNone}>
        Clear selection
      </button>
    </form>
  );
}
