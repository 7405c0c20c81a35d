import { html } from "htm/preact";
import { Problem, Search, UserField, Waiting } from "./parts.js";
import { withQuery } from "./location.js";
import { useAnswer } from "./use-answer.js";
import { Words } from "./view.js";

/** A channel's cases, by all the filters of /case list. */
export function Cases({ desk, server, me, place, version }) {
  const channel = place.query.channel ?? server.channels[0]?.id ?? "";
  const filters = useAnswer(desk, withQuery("/case-filters", { channel }), version).answer;
  const { answer, problem } = useAnswer(desk, withQuery("/cases", { ...place.query, channel }), version);
  const path = `/console/${server.id}/cases`;
  return html`
    <header class="section-head">
      <h1>Cases</h1>
      <${Filters} ...${{ desk, server, me, path, filters, channel, query: place.query }} />
    </header>
    ${problem ? html`<${Problem} problem=${problem} />` : answer ? html`<${Table} ...${{ desk, answer, path, place }} />` : html`<${Waiting} />`}
  `;
}

function Filters({ desk, server, me, path, filters, channel, query }) {
  const moderators = (filters?.moderators ?? []).map((mention) => mention.slice(2, -1));
  const nameOf = (id) => (id === me.id ? `${me.name} (you)` : (filters.names[id] ?? id));
  return html`
    <${Search} path=${path} label="Which cases" key=${JSON.stringify(query)}>
      <label>
        Channel
        <select name="channel">
          ${server.channels.map(
            ({ id }) => html`<option key=${id} value=${id} selected=${id === channel}>/${id}</option>`,
          )}
        </select>
      </label>
      <${UserField} desk=${desk} value=${query.user} label="About" path="case list" />
      <label>
        By moderator
        <select name="moderator">
          <option value="">any</option>
          ${moderators.map((id) => html`<option key=${id} value=${id} selected=${id === query.moderator}>${nameOf(id)}</option>`)}
        </select>
      </label>
      <${Choice} name="action" label="Action" values=${filters?.action} value=${query.action} />
      <${Choice} name="state" label="State" values=${filters?.state} value=${query.state} />
      <label>Rule <input name="rule" maxlength="40" value=${query.rule ?? ""} /></label>
      <label
        >Since <input name="since" maxlength="20" placeholder="7d or 2026-11-23" value=${query.since ?? ""}
      /></label>
      <label
        >Before <input name="until" maxlength="20" placeholder="1d or 2026-11-23" value=${query.until ?? ""}
      /></label>
      <label>Words <input name="words" maxlength="100" value=${query.words ?? ""} /></label>
    <//>
  `;
}

function Choice({ name, label, values = [], value = "" }) {
  return html`
    <label>
      ${label}
      <select name=${name}>
        <option value="">any</option>
        ${values.map(
          (one) =>
            html`<option key=${one} value=${one} selected=${one === value}>
              ${one.replaceAll("_", " ")}
            </option>`,
        )}
      </select>
    </label>
  `;
}

function Table({ desk, answer, path, place }) {
  const { cases, count, channel, names, next } = answer;
  if (cases.length === 0) return html`<p class="empty">No cases.</p>`;
  const { before: _, ...filter } = place.query;
  const file = (format) => withQuery(`/console/api${desk.base}/export/${format}`, { ...filter, channel });
  return html`
    <p class="dim">
      <span role="status">${count === "1" ? "1 case" : `${count} cases`} of /${channel}.</span> As a file:
      ${["csv", "jsonl"].map((format) => html` <a key=${format} href=${file(format)} download>${format.toUpperCase()}</a>`)}
      ${" (the newest 10,000 of them at most)"}
    </p>
    <table class="cases">
      <thead>
        <tr>
          <th>Case</th>
          <th>Whom or what</th>
          <th>How it stands</th>
          <th>By</th>
          <th>When</th>
          <th>Reason</th>
        </tr>
      </thead>
      <tbody>
        ${cases.map((one) => {
          const at = `${path}/${encodeURIComponent(channel)}/${one.number}`;
          return html`
            <tr
              key=${one.number}
              data-item
              tabindex="0"
              data-open=${at}
              class=${one.isFailed ? "failed" : ""}
            >
              <th scope="row" data-label="Case"><a href=${at}>${one.number}</a> ${one.kind}</th>
              <td data-label="Whom or what"><${Words} text=${one.target || "–"} names=${names} /></td>
              <td data-label="How it stands"><${Words} text=${one.state} names=${names} /></td>
              <td data-label="By"><${Words} text=${one.by} names=${names} /></td>
              <td data-label="When"><${Words} text=${`<t:${Math.floor(one.at)}:R>`} /></td>
              <td data-label="Reason" class="reason">${one.reason ?? "–"}</td>
            </tr>
          `;
        })}
      </tbody>
    </table>
    ${next && html`<a class="button secondary" href=${withQuery(path, { ...place.query, channel, before: next })}>Older ones</a>`}
  `;
}
