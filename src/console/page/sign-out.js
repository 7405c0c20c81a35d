import { html } from "htm/preact";
import { ask } from "./ask.js";

export function SignOut({ name, signedOut }) {
  const leave = () => ask("/sign-out", {}).then(signedOut, signedOut);
  return html`
    <button type="button" class="button quiet" onClick=${leave} title=${`Signed in as ${name}`}>
      Sign out
    </button>
  `;
}
