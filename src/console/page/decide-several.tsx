import { useState } from "preact/hooks";
import type { PartProps } from "./part.ts";
import { SelectField, SuggestingField } from "./fields.tsx";
import { ActionForm } from "./parts.tsx";

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
  if (numbers.length === 0) return null;
  const decide = (options: Record<string, string>) =>
    onRun("review decide", { ...options, reviews: numbers.join(" ") });
  const said = numbers.length === 1 ? `${numbers[0]} is selected.` : `${numbers.length} are selected.`;
  return (
    <ActionForm
      label="Decide selected reviews"
      actions={[{ title: "Decide…", run: decide }]}
      selection={{ said, onNone }}
    >
      <SelectField
        name="decision"
        label="Decision"
        choices={Object.entries(decisions)}
        chosen={decision}
        onChoose={setDecision}
      />
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
    </ActionForm>
  );
}
