import { html } from "htm/preact";
import { Problem, Search, UserField, Waiting } from "./parts.js";
import { withQuery } from "./location.js";
import { useAnswer } from "./use-answer.js";
import { View } from "./view.js";

/** What a command answers, as a page: with what is asked for in the address. */
function Reading({ desk, what, query, path, version, onPress }) {
  const { answer, problem } = useAnswer(desk, withQuery(`/read/${what}`, query), version);
  if (problem) return html`<${Problem} problem=${problem} />`;
  if (!answer) return html`<${Waiting} />`;
  const { view, names, next } = answer;
  return html`
    <article class="card">
      <${View} view=${view} names=${names} onPress=${onPress} />
    </article>
    ${next && html`<a class="button secondary" href=${withQuery(path, { ...query, cursor: next })}>More</a>`}
  `;
}

export function Person({ desk, server, place, version, onPress }) {
  const path = `/console/${server.id}/people`;
  const { user } = place.query;
  return html`
    <header class="section-head">
      <h1>People</h1>
      <${Search} path=${path} label="Who">
        <${UserField} desk=${desk} value=${user} label="Who" />
      <//>
    </header>
    ${
      user
        ? html`<${Reading} ...${{ desk, what: "person", query: { user }, path, version, onPress }} />`
        : html`<p class="empty">All that is known of a person, over the channels that you may look at.</p>`
    }
  `;
}

export function Health({ desk, version, onPress }) {
  return html`
    <header class="section-head"><h1>Health</h1></header>
    <${Reading} ...${{ desk, what: "health", query: {}, path: "", version, onPress }} />
  `;
}

const kinds = ["rules", "capabilities", "feeds", "links", "automod"];

export function Audit({ desk, server, place, version, onPress }) {
  const path = `/console/${server.id}/audit`;
  const { kind, cursor } = place.query;
  return html`
    <header class="section-head">
      <h1>Audit</h1>
      <nav class="tabs" aria-label="Kind of change">
        <a href=${path} aria-current=${kind ? undefined : "page"}>All</a>
        ${kinds.map(
          (one) =>
            html`<a key=${one} href=${`${path}?kind=${one}`} aria-current=${kind === one ? "page" : undefined}
              >${one}</a
            >`,
        )}
      </nav>
    </header>
    <${Reading} ...${{ desk, what: "audit", query: { kind, cursor }, path, version, onPress }} />
  `;
}
