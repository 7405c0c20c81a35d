import type { ComponentChildren, JSX, TargetedSubmitEvent } from "preact";
import { takeForm } from "../../web/kit/take-form.ts";

type Field = JSX.IntrinsicElements["input"];

interface LineFormProps extends Pick<Field, "maxlength" | "placeholder" | "pattern" | "title" | "inputmode"> {
  /** What the field is for, and the form. */
  label: string;
  formLabel?: string;
  button: string;
  /** Another button. */
  other?: string;
  /** Receives the title of the button; returns whether it was accepted. */
  onSend: (typed: string, button: string) => Promise<boolean>;
  children?: ComponentChildren;
}

/** A field with its button. The field is emptied when it is sent, and gets the text back if it was refused. */
export function LineForm({ label, formLabel, button, other, onSend, children, ...field }: LineFormProps) {
  const send = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    const { typed = "" } = takeForm(event);
    const input = event.currentTarget.elements.namedItem("typed") as HTMLInputElement;
    const clicked = event.submitter?.textContent ?? button;
    input.value = "";
    if (!(await onSend(typed, clicked)) && input.value === "") input.value = typed;
  };
  return (
    <form class="net-line" aria-label={formLabel} onSubmit={send}>
      <input name="typed" aria-label={label} required {...field} />
      {children}
      <button class="net-do">{button}</button>
      {other && <button class="net-do quiet">{other}</button>}
    </form>
  );
}
