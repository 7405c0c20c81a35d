import type { TargetedSubmitEvent } from "preact";

/** What was typed into a form that is sent, by the names of its fields. The browser does not send it. */
export function takeForm(event: TargetedSubmitEvent<HTMLFormElement>): Record<string, string> {
  event.preventDefault();
  const typed = [...new FormData(event.currentTarget)];
  return Object.fromEntries(typed.map(([name, value]) => [name, typeof value === "string" ? value : ""]));
}
