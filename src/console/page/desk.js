import { html } from "htm/preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Answer, useAnswers } from "./answers.js";
import { deskOf } from "./ask.js";
import { Case } from "./case.js";
import { Cases } from "./cases.js";
import { KeyHelp, useKeys } from "./keys.js";
import { useLive } from "./live.js";
import { goTo } from "./location.js";
import { Queue } from "./queue.js";
import { later } from "./later.js";
import { Audit, Health, Person } from "./reading.js";
import { SignOut } from "./sign-out.js";

/** The parts of the console, each for who has this capability in a channel; `key` after g goes there. */
const sections = [
  { id: "queue", title: "Queue", key: "q", needs: "view", Part: Queue },
  { id: "cases", title: "Cases", key: "c", needs: "view", Part: Cases },
  { id: "people", title: "People", key: "p", needs: "view", Part: Person },
  { id: "rules", title: "Rules", key: "r", needs: "rules", Part: later(() => import("./rules/rules.js")) },
  { id: "bulks", title: "Bulks", key: "b", needs: "view", Part: later(() => import("./bulks.js")) },
  {
    id: "statistics",
    title: "Statistics",
    key: "s",
    needs: "view",
    Part: later(() => import("./statistics.js")),
  },
  { id: "health", title: "Health", key: "h", needs: undefined, Part: Health },
  { id: "audit", title: "Audit", key: "a", needs: "link", Part: Audit },
];

/** One server's desk. */
export function Desk({ me, server, place, signedOut }) {
  const desk = useMemo(() => deskOf(server.id), [server.id]);
  const [version, setVersion] = useState(0);
  const refresh = () => setVersion((before) => before + 1);
  const isLive = useLive(desk, { onChange: refresh, signedOut });
  const answers = useAnswers(desk, { refresh, signedOut });
  const may = new Set(server.channels.flatMap((channel) => channel.may));
  const shown = sections.filter(({ needs }) => needs === undefined || may.has(needs));
  const section = shown.find(({ id }) => id === place.section);
  const base = `/console/${server.id}`;
  const [helps, setHelps] = useState(false);
  useKeys(Object.fromEntries(shown.map(({ id, key }) => [key, () => goTo(`${base}/${id}`)])), () =>
    setHelps(true),
  );
  useEffect(() => {
    document.title = `${section?.title ?? "Castellan"} · ${server.name}`;
    if (!section) goTo(`${base}/${shown[0].id}`);
  }, [section?.id]);
  const Part = section?.id === "cases" && place.rest.length === 2 ? Case : section?.Part;
  const { press: onPress, run: onRun, show: onShow } = answers;
  return html`
    <a class="skip" href="#main">To the content</a>
    <header class="bar">
      <p class="brand"><img src="/console/page/castle.svg" alt="" width="24" height="24" />Castellan</p>
      <${ServerChoice} servers=${me.servers} server=${server} />
      <nav class="sections" aria-label="Console">
        ${shown.map(
          ({ id, title, key }) => html`
            <a
              key=${id}
              href=${`${base}/${id}`}
              aria-current=${id === section?.id ? "page" : undefined}
              title=${`g ${key}`}
            >
              ${title}
            </a>
          `,
        )}
      </nav>
      <p class=${isLive ? "live on" : "live"} role="status">${isLive ? "live" : "not live"}</p>
      <button type="button" class="button quiet for-keyboards" onClick=${() => setHelps(true)}>
        Keys <kbd aria-hidden="true">?</kbd>
      </button>
      <${SignOut} name=${me.user.name} signedOut=${signedOut} />
    </header>
    <main id="main" tabindex="-1">
      ${Part && html`<${Part} key=${section.id} ...${{ desk, server, me: me.user, place, version, onPress, onRun, onShow }} />`}
    </main>
    <p class="toast" role="status">${answers.said}</p>
    ${answers.answer && html`<${Answer} ...${answers} />`}
    ${helps && html`<${KeyHelp} sections=${shown} onClose=${() => setHelps(false)} />`}
  `;
}

function ServerChoice({ servers, server }) {
  if (servers.length < 2) return html`<p class="server-name">${server.name}</p>`;
  return html`
    <label class="server-choice">
      <span class="visually-hidden">Server</span>
      <select value=${server.id} onChange=${(event) => goTo(`/console/${event.target.value}/queue`)}>
        ${servers.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}
      </select>
    </label>
  `;
}
