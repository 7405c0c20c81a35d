import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import { interact } from "./chat-store.js";
import { moveMark } from "./list-box.js";
import { CommandType } from "../discord-types.js";

/** A right click on a message opens its menu; on a link, or where text is chosen, the browser's own. */
export function openMenu(event) {
  const button = event.currentTarget.querySelector(".message-menu-button");
  if (!button || event.target.closest("a") || String(getSelection()) !== "") return;
  event.preventDefault();
  if (button.getAttribute("aria-expanded") !== "true") button.click();
}

/** The context-menu commands of the bot for a message and for the one who wrote it. */
export function MessageMenu({ message, store, guild }) {
  const [open, setOpen] = useState(false);
  const button = useRef(null);
  const forMessage = guild.commands.filter((command) => command.type === CommandType.Message);
  const forUser = message.author.bot
    ? []
    : guild.commands.filter((command) => command.type === CommandType.User);
  if (forMessage.length + forUser.length === 0) return null;
  const choose = (command, target) => {
    setOpen(false);
    return interact(store, "/chat/menu", { command: command.name, target }, { label: command.name });
  };
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event) => {
    if (event.key === "Escape") close();
    if (!open || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    event.preventDefault();
    const items = [...event.currentTarget.querySelectorAll("[role=menuitem]")];
    items[moveMark(items.indexOf(document.activeElement), event.key, items.length)].focus();
  };
  const onFocusOut = (event) => event.currentTarget.contains(event.relatedTarget) || setOpen(false);
  return html`
    <div class=${`message-menu ${open ? "open" : ""}`} onKeyDown=${onKeyDown} onFocusOut=${onFocusOut}>
      <button
        type="button"
        class="message-menu-button"
        ref=${button}
        aria-label="Apps for this message"
        aria-haspopup="menu"
        aria-expanded=${open}
        onClick=${(event) => {
          setOpen(!open);
          event.currentTarget.focus();
        }}
      >
        ⋯
      </button>
      ${
        open &&
        html`
          <div class="popup" role="menu">
            ${forMessage.map((command) => html`<${Item} key=${command.id} command=${command} onChoose=${() => choose(command, message.id)} />`)}
            ${forUser.map((command) => html`<${Item} key=${command.id} command=${command} onChoose=${() => choose(command, message.author.id)} />`)}
          </div>
        `
      }
    </div>
  `;
}

function Item({ command, onChoose }) {
  return html`<button type="button" role="menuitem" onClick=${onChoose}>${command.name}</button>`;
}
