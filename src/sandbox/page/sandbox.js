import { html } from "htm/preact";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { askFor } from "./ask.js";
import { Avatar } from "./avatar.js";
import { ChatPane } from "./chat/chat-pane.js";
import { NetworkPane } from "./network-pane.js";
import { readPeople } from "./network.js";

const builders = {
  chat: async () => ({ id: "chat", title: "Chat", Pane: ChatPane }),
  network: async () => ({ id: "network", title: "Network", Pane: networkPaneOf(await readPeople()) }),
};

/**
 * The panes of the page, from left to right; a sandbox that runs alone has no network beside it. Each gets `acting`,
 * the person whom one is at the moment.
 */
async function findPanes() {
  const served = await askFor("/panes");
  return Promise.all(served.map((id) => builders[id]()));
}

function networkPaneOf(people) {
  return ({ acting }) => {
    const person = people.find(({ userId }) => userId === acting.id);
    if (!person) return html`<p class="waiting">${acting.displayName} has no account on the network.</p>`;
    return html`<${NetworkPane} key=${person.fid} person=${person} />`;
  };
}

/** Whom one is: every pane acts and sees as this person. */
function PersonSwitcher({ people, acting, onChoose }) {
  const group = useRef(null);
  const { more, onScroll } = useMore(group, [people.length, acting.id]);
  useEffect(
    () =>
      group.current
        ?.querySelector("[aria-checked=true]")
        ?.scrollIntoView({ inline: "nearest", block: "nearest" }),
    [acting.id],
  );
  const onKeyDown = (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = people.findIndex(({ id }) => id === acting.id);
    const next = (at + step + people.length) % people.length;
    onChoose(people[next].id);
    group.current.querySelectorAll("[role=radio]")[next].focus();
  };
  return html`
    <div
      class=${`people ${more}`}
      role="radiogroup"
      aria-label="Acting as"
      ref=${group}
      onKeyDown=${onKeyDown}
      onScroll=${onScroll}
    >
      <span class="people-label" aria-hidden="true">Acting as</span>
      ${people.map(
        (person) => html`
          <button
            key=${person.id}
            type="button"
            class="person"
            role="radio"
            aria-checked=${person.id === acting.id}
            tabindex=${person.id === acting.id ? 0 : -1}
            title=${`${person.displayName} (${person.roles.join(", ") || "no role"})`}
            onClick=${() => onChoose(person.id)}
          >
            <${Avatar} id=${person.id} name=${person.displayName} small />
            <span class="person-name">${person.displayName}</span>
          </button>
        `,
      )}
    </div>
  `;
}

/** At which sides a row that scrolls has more than it shows. */
function useMore(row, changes) {
  const [more, setMore] = useState("");
  const look = () => {
    const { scrollLeft, scrollWidth, clientWidth } = row.current ?? {};
    const isMoreBefore = scrollLeft > 4;
    const isMoreAfter = scrollWidth - clientWidth - scrollLeft > 4;
    setMore(`${isMoreBefore ? "more-before" : ""} ${isMoreAfter ? "more-after" : ""}`.trim());
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(row.current);
    return () => observer.disconnect();
  }, changes);
  return { more, onScroll: look };
}

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
                  <${Pane} acting=${acting} onBe=${choose} />
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
