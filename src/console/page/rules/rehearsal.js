import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Problem } from "../parts.js";
import { View } from "../view.js";

/** Tries what is typed on what happened lately: how far it is, then what it would have done. */
export function Rehearsal({ desk, server, rule, typed }) {
  const [state, setState] = useState({});
  const { isBusy, answer, problem } = state;
  const start = async (event) => {
    event.preventDefault();
    const { days, channel } = Object.fromEntries(new FormData(event.target));
    setState({ isBusy: true });
    const asked = { rule, source: typed, days: Number(days), ...(channel && { channel }) };
    const told = (progress) => setState({ isBusy: true, answer: progress });
    try {
      setState({ answer: await desk.send("/rules/rehearse", asked, told) });
    } catch (found) {
      setState({ problem: found });
    }
  };
  const channels = server.channels.filter(({ may }) => may.includes("rules"));
  return html`
    <section class="rehearsal" aria-label="Rehearsal">
      <form class="filters" onSubmit=${start}>
        <label>Days back <input name="days" type="number" min="1" max="365" value="7" required /></label>
        <label>
          Channel
          <select name="channel">
            <option value="">all</option>
            ${channels.map(({ id }) => html`<option key=${id} value=${id}>/${id}</option>`)}
          </select>
        </label>
        <button class="button secondary" disabled=${isBusy}>Try it on the past</button>
      </form>
      <div aria-live="polite">
        ${isBusy && html`<progress aria-label="Trying the rules"></progress>`}
        ${problem && html`<${Problem} problem=${problem} />`}
        ${answer && html`<div class="card"><${View} view=${answer.view} names=${answer.names} /></div>`}
      </div>
    </section>
  `;
}
