import { html } from "htm/preact";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask, rememberCsrf } from "./ask.js";
import { Desk } from "./desk.js";
import { goTo, useHere } from "./location.js";
import { Problem, Waiting } from "./parts.js";
import { SignOut } from "./sign-out.js";

/** Asks who is there. A person who is signed in has `me`, others `isOut`. */
function useMe() {
  const [state, setState] = useState({});
  const look = () =>
    ask("/me").then(
      (me) => {
        rememberCsrf(me.csrf);
        setState(me.user ? { me } : { isOut: true });
      },
      (problem) => setState({ problem }),
    );
  useEffect(() => void look(), []);
  return { ...state, signedOut: () => setState({ isOut: true }) };
}

function Console() {
  const place = useHere();
  const { me, isOut, problem, signedOut } = useMe();
  if (problem) return html`<main class="alone"><${Problem} problem=${problem} /></main>`;
  if (isOut) return html`<${SignIn} place=${place} />`;
  if (!me) return html`<main class="alone"><${Waiting} /></main>`;
  const server = me.servers.find(({ id }) => id === place.server);
  if (server) return html`<${Desk} key=${server.id} ...${{ me, server, place, signedOut }} />`;
  if (place.server && me.more) return html`<${FarServer} ...${{ me, place, signedOut }} />`;
  return html`<${Servers} ...${{ me, place, signedOut }} />`;
}

/** Why signing in did not work, by the server's code for it. */
const problems = {
  refused: "You were not signed in.",
  not_allowed: "This sign-in did not begin in this browser, or took too long. Please sign in again.",
  rate_limited: "That was too often. Please wait a minute, and sign in again.",
  discord_unreachable: "Discord does not answer. Please try again in a minute.",
  invalid_configuration:
    "Discord does not know this console. Whoever runs Castellan finds the reason in its log.",
  failed: "Something went wrong. Whoever runs Castellan finds the reason in its log.",
};

function SignIn({ place }) {
  const problem = problems[place.query.problem];
  const to = place.server ? place.path : "/console";
  return html`
    <main class="alone">
      <img src="/console/page/castle.svg" alt="" width="48" height="48" />
      <h1>Castellan console</h1>
      <p>For the moderators of channels that this Castellan looks after.</p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <a class="button primary" href=${`/console/sign-in?to=${encodeURIComponent(to)}`}
        >Sign in with Discord</a
      >
      <p class="dim">
        Castellan learns who you are, and nothing else. What you may do is what your roles give you.
      </p>
    </main>
  `;
}

function Servers({ me, place, signedOut }) {
  const [only, another] = me.servers;
  useEffect(() => {
    if (only && !another && !place.server) goTo(`/console/${only.id}/queue`);
  }, [place.server]);
  return html`
    <main class="alone">
      <h1>Which server?</h1>
      ${place.server && html`<p class="problem" role="alert">There is nothing for you to do in that server.</p>`}
      ${me.servers.length === 0 && html`<p>Castellan is in no server in which you may do anything.</p>`}
      <ul class="servers">
        ${me.servers.map(
          ({ id, name, channels }) => html`
            <li key=${id}>
              <a class="button secondary" href=${`/console/${id}/queue`}>
                ${name} <span class="dim">${channels.map((channel) => `/${channel.id}`).join(" ")}</span>
              </a>
            </li>
          `,
        )}
      </ul>
      ${me.more && html`<p class="dim">Others open by their address: /console/ and the server's id.</p>`}
      <${SignOut} name=${me.user.name} signedOut=${signedOut} />
    </main>
  `;
}

/** A server that is not among those that were looked through. */
function FarServer({ me, place, signedOut }) {
  const [server, setServer] = useState();
  useEffect(() => {
    ask(`/servers/${place.server}`).then(
      (found) => setServer(found.id ? found : null),
      () => setServer(null),
    );
  }, [place.server]);
  if (server) return html`<${Desk} key=${server.id} ...${{ me, server, place, signedOut }} />`;
  if (server === undefined) return html`<main class="alone"><${Waiting} /></main>`;
  return html`<${Servers} ...${{ me, place, signedOut }} />`;
}

render(html`<${Console} />`, document.getElementById("console"));
