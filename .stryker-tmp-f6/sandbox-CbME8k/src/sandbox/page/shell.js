// @ts-nocheck
import { html } from "htm/preact";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { askFor } from "./ask.js";
import { findPanes } from "./panes.js";
import { PersonSwitcher } from "./person-switcher.js";

const remembered = "castellan.acting";

function Shell() {
  const [{ people, panes }, setFound] = useState({ people: [], panes: [] });
  const [actingId, setActingId] = useState(localStorage.getItem(remembered));
  const [shown, setShown] = useState("chat");
  useEffect(() => {
    const load = () =>
      Promise.all([askFor("/chat/people"), findPanes()]).then(
        ([people, panes]) => setFound({ people, panes }),
        () => setTimeout(load, 1000),
      );
    void load();
  }, []);
  const acting = people.find((person) => person.id === actingId) ?? people[0];
  const choose = (id) => {
    localStorage.setItem(remembered, id);
    setActingId(id);
  };
  return html`
    <header class="bar">
      <h1 class="brand">
        <img src="/page/castle.svg" alt="" width="26" height="26" />Castellan <span>sandbox</span>
      </h1>
      ${panes.length > 1 && html`<${PaneTabs} panes=${panes} shown=${shown} onShow=${setShown} />`}
      ${acting && html`<${PersonSwitcher} people=${people} acting=${acting} onChoose=${choose} />`}
    </header>
    <main class="panes" data-shown=${shown}>
      ${
        acting
          ? panes.map(
              ({ id, title, Pane }) => html`
                <section key=${id} class="pane" aria-label=${title} data-pane=${id}>
                  <${Pane} acting=${acting} />
                </section>
              `,
            )
          : html`<p class="waiting" role="status">Waiting for the sandbox…</p>`
      }
    </main>
  `;
}

/** Only a narrow page needs them: a wide one shows its panes beside each other. */
function PaneTabs({ panes, shown, onShow }) {
  return html`
    <nav class="tabs" aria-label="Panes">
      ${panes.map(
        ({ id, title }) => html`
          <button key=${id} type="button" aria-pressed=${shown === id} onClick=${() => onShow(id)}>
            ${title}
          </button>
        `,
      )}
    </nav>
  `;
}

render(html`<${Shell} />`, document.getElementById("sandbox"));
