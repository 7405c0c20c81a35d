// @ts-nocheck
import { useState } from "preact/hooks";
import { act } from "./chat-store.js";
import { html } from "htm/preact";

const permissions = [
  { name: "viewChannel", label: "see this room" },
  { name: "sendMessages", label: "write here" },
  { name: "embedLinks", label: "embed" },
];

/** Name and topic of the room, and a way to forbid the bot things in it, to see how it takes that. */
export function RoomHeader({ store, room, bot }) {
  const [open, setOpen] = useState(false);
  const toggle = (name) => {
    const denied = room.denied.includes(name)
      ? room.denied.filter((one) => one !== name)
      : [...room.denied, name];
    return act(store, "/chat/deny", { room: room.id, denied });
  };
  return html`
    <div class="room-header">
      <h2><span aria-hidden="true">${room.direct ? "@" : "#"}</span>${room.direct ? bot.name : room.name}</h2>
      <p class="topic" title=${room.topic}>${room.topic}</p>
      ${
        !room.direct &&
        html`
          <div
            class="permissions"
            onKeyDown=${(event) => event.key === "Escape" && setOpen(false)}
            onFocusOut=${(event) => event.currentTarget.contains(event.relatedTarget) || setOpen(false)}
          >
            <button type="button" class="quiet" aria-expanded=${open} onClick=${() => setOpen(!open)}>
              ${room.denied.length > 0 ? "🔒 " : ""}Bot permissions
            </button>
            ${
              open &&
              html`
                <fieldset class="popup" tabindex="-1">
                  <legend>In #${room.name} the bot may</legend>
                  ${permissions.map(
                    ({ name, label }) => html`
                      <label key=${name}>
                        <input
                          type="checkbox"
                          checked=${!room.denied.includes(name)}
                          onChange=${() => toggle(name)}
                        />
                        ${label}
                      </label>
                    `,
                  )}
                </fieldset>
              `
            }
          </div>
        `
      }
    </div>
  `;
}
