import { html } from "htm/preact";

const hues = 10;

/** Two letters on a colour of the person's own. The colour is a class, for styles may not be written inline. */
export function Avatar({ id, name, small = false, bot = false }) {
  const hue = Number(BigInt(id) % BigInt(hues));
  if (bot) return html`<img class="avatar avatar-bot" src="/page/castle.svg" alt="" />`;
  return html`<span class=${`avatar avatar-${hue} ${small ? "avatar-small" : ""}`} aria-hidden="true"
    >${beginning(name)}</span
  >`;
}

/** One letter would be the same for too many: mo, mel. */
function beginning(name) {
  const [first = "?", second = ""] = name;
  return first.toUpperCase() + second.trim();
}
