import { html } from "htm/preact";
import { useState } from "preact/hooks";

const decisions = {
  approve: "Approve",
  hide: "Hide the casts",
  ban: "Ban the authors",
  dismiss: "Dismiss",
};

/** What to do with the reviews that are chosen; it is shown what that means, and asked, before anything is done. */
export function DecideSeveral({ numbers, onRun, onNone }) {
  const [decision, setDecision] = useState("dismiss");
  const [isBusy, setBusy] = useState(false);
  if (numbers.length === 0) return null;
  const decide = async (event) => {
    event.preventDefault();
    const options = Object.fromEntries(new FormData(event.target));
    setBusy(true);
    await onRun("review decide", { ...options, reviews: numbers.join(" ") });
    setBusy(false);
  };
  return html`
    <form class="filters several" aria-label="Decide those that are chosen" onSubmit=${decide}>
      <p role="status">
        ${numbers.length === 1 ? `${numbers[0]} is chosen.` : `${numbers.length} are chosen.`}
      </p>
      <label>
        What to do
        <select name="decision" value=${decision} onChange=${(event) => setDecision(event.target.value)}>
          ${Object.entries(decisions).map(([one, title]) => html`<option key=${one} value=${one}>${title}</option>`)}
        </select>
      </label>
      ${
        decision === "ban" &&
        html`
          <label>
            For how long
            <input name="duration" maxlength="20" autocomplete="off" placeholder="7d; asked if empty" />
          </label>
          <label
            >Reason, which the user may see <input name="reason" maxlength="300" autocomplete="off"
          /></label>
        `
      }
      <button class="button primary" disabled=${isBusy}>Decide them…</button>
      <button type="button" class="button quiet" onClick=${onNone}>Choose none</button>
    </form>
  `;
}
