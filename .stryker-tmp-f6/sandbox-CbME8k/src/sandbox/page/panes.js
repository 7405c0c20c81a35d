// @ts-nocheck
import { html } from "htm/preact";
import { askFor } from "./ask.js";
import { ChatPane } from "./chat/chat-pane.js";
import { NetworkPane } from "./network-pane.js";
import { readPeople } from "./network-requests.js";

const builders = {
  chat: async () => ({ id: "chat", title: "Chat", Pane: ChatPane }),
  network: async () => ({ id: "network", title: "Network", Pane: networkPaneOf(await readPeople()) }),
};

/**
 * The panes of the page, from left to right; a sandbox that runs alone has no network beside it. Each gets `acting`,
 * the person whom one is at the moment.
 */
export async function findPanes() {
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
