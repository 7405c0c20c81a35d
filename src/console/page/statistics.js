import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Problem, Search, Waiting } from "./parts.js";
import { withQuery } from "./location.js";
import { useAnswer } from "./use-answer.js";
import { View } from "./view.js";

/** What /stats draws and tells, in the colors of the page. Drawn when asked: not anew at each change. */
export function Part({ desk, server, place, onPress }) {
  const path = `/console/${server.id}/statistics`;
  const { since = "", channel = "" } = place.query;
  const [version, setVersion] = useState(0);
  const theme = window.matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  const { answer, problem } = useAnswer(
    desk,
    withQuery("/read/statistics", { since, channel, theme }),
    version,
  );
  const channels = server.channels.filter(({ may }) => may.includes("view"));
  return html`
    <header class="section-head">
      <h1>Statistics</h1>
      <${Search} path=${path} label="Of what">
        <label>
          Since
          <input name="since" maxlength="20" placeholder="30d or 2026-11-23" value=${since} data-search />
        </label>
        <label>
          Channel
          <select name="channel">
            <option value="">all</option>
            ${channels.map(
              ({ id }) => html`<option key=${id} value=${id} selected=${id === channel}>/${id}</option>`,
            )}
          </select>
        </label>
        <button type="button" class="button secondary" onClick=${() => setVersion(version + 1)}>
          Count again
        </button>
      <//>
    </header>
    ${problem && html`<${Problem} problem=${problem} />`}
    ${answer && html`<article class="card"><${View} view=${answer.view} names=${answer.names} onPress=${onPress} /></article>`}
    ${!answer && !problem && html`<${Waiting} />`}
  `;
}
