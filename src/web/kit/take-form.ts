import type { TargetedSubmitEvent } from "preact";

/** A submitted form's values by field name. Stops the browser from sending it. */
export function takeForm(event: TargetedSubmitEvent<HTMLFormElement>): Record<string, string> {
  event.preventDefault();
  const typed = [...new FormData(event.currentTarget)];
  return Object.fromEntries(typed.map(([name, value]) => [name, typeof value === "string" ? value : ""]));
}
