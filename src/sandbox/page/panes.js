import { html } from "htm/preact";
import { ChatPane } from "./chat/chat-pane.js";
import { NetworkPane } from "./network-pane.js";
import { readPeople } from "./network-requests.js";

/** The panes of the page, from left to right. Each gets `acting`, the person whom one is at the moment. */
export async function findPanes() {
  const chat = { id: "chat", title: "Chat", Pane: ChatPane };
  // A sandbox that runs alone has no network beside it.
  const people = await readPeople().catch(() => null);
  return people ? [chat, { id: "network", title: "Network", Pane: networkPaneOf(people) }] : [chat];
}

function networkPaneOf(people) {
  return ({ acting }) => {
    const person = people.find(({ userId }) => userId === acting.id);
    if (!person) return html`<p class="waiting">${acting.displayName} has no account on the network.</p>`;
    return html`<${NetworkPane} key=${person.fid} person=${person} />`;
  };
}
