import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { DecideSeveral } from "./decide-several.js";
import { goTo, withQuery } from "./location.js";
import { Problem, Waiting } from "./parts.js";
import { useAnswer } from "./use-answer.js";
import { keysOf, View } from "./view.js";

/** What waits for a decision, oldest first. */
export function Queue({ desk, server, place, version, onPress, onRun }) {
  const { answer, problem } = useAnswer(desk, withQuery("/queue", place.query), version);
  const [busy, setBusy] = useState();
  const [chosen, setChosen] = useState([]);
  if (problem) return html`<${Problem} problem=${problem} />`;
  if (!answer) return html`<${Waiting} />`;
  const { items, load, next, names } = answer;
  const base = `/console/${server.id}/queue`;
  const press = async (number, customId, value) => {
    setBusy(number);
    await onPress(customId, value).finally(() => setBusy(undefined));
  };
  // What others decided meanwhile is chosen no more.
  const numbers = items.map(({ number }) => number).filter((number) => chosen.includes(number));
  const choose = (number) =>
    setChosen(numbers.includes(number) ? numbers.filter((one) => one !== number) : [...numbers, number]);
  const filter = (change) => goTo(withQuery(base, { ...place.query, after: undefined, ...change }));
  return html`
    <header class="section-head">
      <h1>Queue</h1>
      <p class="dim">${describeLoad(load)}</p>
      <div class="filters">
        <label>
          Channel
          <select
            value=${place.query.channel ?? ""}
            onChange=${(event) => filter({ channel: event.target.value })}
          >
            <option value="">all</option>
            ${server.channels.map(({ id }) => html`<option key=${id} value=${id}>/${id}</option>`)}
          </select>
        </label>
        <label>
          Queue
          <select
            value=${place.query.queue ?? ""}
            onChange=${(event) => filter({ queue: event.target.value })}
          >
            <option value="">all</option>
            ${load.queues.map(
              ({ queue, waiting }) =>
                html`<option key=${queue} value=${queue}>${queue} (${waiting})</option>`,
            )}
          </select>
        </label>
      </div>
    </header>
    <${DecideSeveral} ...${{ numbers, onRun, onNone: () => setChosen([]) }} />
    ${items.length === 0 && html`<p class="empty">Nothing is waiting for a decision.</p>`}
    <ul class="items">
      ${items.map(
        ({ number, fid, view }) => html`
          <li key=${number}>
            <article class="card" data-item tabindex="0" aria-label=${`Review ${number}`}>
              <${View}
                view=${view}
                names=${names}
                isBusy=${busy === number}
                onPress=${(customId, value) => press(number, customId, value)}
              />
              <div class="beside">
                <label class="choose">
                  <input
                    type="checkbox"
                    checked=${numbers.includes(number)}
                    onChange=${() => choose(number)}
                    data-key="x"
                    aria-keyshortcuts="x"
                    aria-label=${`Choose ${number}`}
                  />
                  Choose <kbd aria-hidden="true">x</kbd>
                </label>
                ${
                  fid !== null &&
                  html`<a
                    class="more"
                    href=${`/console/${server.id}/people?user=${fid}`}
                    data-key=${keysOf["Who is this?"]}
                    aria-keyshortcuts=${keysOf["Who is this?"]}
                    >Who is this? <kbd aria-hidden="true">${keysOf["Who is this?"]}</kbd></a
                  >`
                }
              </div>
            </article>
          </li>
        `,
      )}
    </ul>
    ${next && html`<a class="button secondary" href=${withQuery(base, { ...place.query, after: next })}>Later ones</a>`}
  `;
}

function describeLoad({ queues, claimed, escalated, oldestMs }) {
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  if (waiting === 0) return "";
  const parts = [`${waiting} waiting`];
  if (oldestMs !== null) parts.push(`the oldest came ${new Date(oldestMs).toLocaleString()}`);
  if (claimed > 0) parts.push(`${claimed} claimed`);
  if (escalated > 0) parts.push(`${escalated} left to the owner`);
  return parts.join(" · ");
}
