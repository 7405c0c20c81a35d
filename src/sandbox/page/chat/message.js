import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Avatar } from "../avatar.js";
import { act, isPinged, writeCommand } from "./chat-store.js";
import { Components } from "./components.js";
import { Embed } from "./embed.js";
import { Markdown } from "../../../web/kit/markdown.tsx";
import { Attachments } from "./media.js";
import { namesIn } from "./names.js";
import { MessageMenu, openMenu } from "./message-menu.js";
import { Clock, wakeIn } from "../../../web/kit/timestamp.tsx";
import { CommandType, MessageFlags } from "../discord-types.js";

const tokenLife = 15 * 60_000;

export function Message({ message, follows, newDay, store, view, guild, waiting }) {
  const names = namesIn(view, guild, (text) => writeCommand(store, text));
  const { author, visible_to: visibleTo } = message;
  const ephemeral = (message.flags & MessageFlags.Ephemeral) !== 0;
  const pinged = isPinged(message, store.state.userId, view);
  const looks = [follows && "follows", ephemeral && "ephemeral", pinged && "pinged"]
    .filter(Boolean)
    .join(" ");
  return html`
    ${newDay && html`<div class="day"><${Clock} date=${message.timestamp} style="D" /></div>`}
    <article
      class=${`message ${looks}`}
      id=${`message-${message.id}`}
      aria-label=${`From ${author.global_name}`}
      onContextMenu=${openMenu}
    >
      <${Origin} message=${message} guild=${guild} />
      ${
        follows
          ? html`<span class="margin-time"><${Clock} date=${message.timestamp} style="t" /></span>`
          : html`<${Avatar} id=${author.id} name=${author.global_name} bot=${author.bot} />`
      }
      <div class="message-body">
        ${
          !follows &&
          html`
            <div class="message-head">
              <strong class=${author.bot ? "name" : `name ${roleClass(view, author.id)}`}
                >${author.global_name}</strong
              >
              ${author.bot && html`<span class="tag">APP</span>`}
              <${Clock} date=${message.timestamp} style="t" />
            </div>
          `
        }
        <${Content} message=${message} names=${names} />
        ${message.embeds.map((embed, index) => html`<${Embed} key=${index} embed=${embed} names=${names} />`)}
        <${Attachments} attachments=${message.attachments} />
        <${Components}
          components=${message.components}
          message=${message}
          store=${store}
          names=${names}
          waiting=${waiting}
        />
        ${
          waiting.some(({ outcome }) => outcome === "failed") &&
          html`<p class="failed-note" role="status">This interaction failed</p>`
        }
        ${
          ephemeral &&
          html`
            <p class="only-you">
              <span aria-hidden="true">👁</span> Only you can see this · ${" "}
              <button
                type="button"
                class="link"
                onClick=${() => act(store, "/chat/dismiss", { message: message.id, user: visibleTo })}
              >
                Dismiss message
              </button>
            </p>
          `
        }
      </div>
      ${guild && html`<${MessageMenu} message=${message} store=${store} guild=${guild} />`}
    </article>
  `;
}

function roleClass(view, userId) {
  const roles = view.people.find(({ id }) => id === userId)?.roles ?? [];
  if (roles.includes("Owner")) return "name-owner";
  return roles.length > 0 ? "name-role" : "";
}

/** What the message answers: a command somebody used, or another message. */
function Origin({ message, guild }) {
  const { interaction: command, referenced_message: replied } = message;
  if (command) {
    const isMenu = guild?.commands.some(
      ({ name, type }) => name === command.name && type !== CommandType.ChatInput,
    );
    return html`
      <p class="origin">
        <span class="hook" aria-hidden="true"></span>
        <strong>${command.user.global_name}</strong> used
        <span class="command-name">${isMenu ? "" : "/"}${command.name}</span>
      </p>
    `;
  }
  if (!replied) return null;
  return html`
    <p class="origin">
      <span class="hook" aria-hidden="true"></span>
      <strong>${replied.author.global_name}</strong>
      <span class="replied">${replied.content || "a message"}</span>
    </p>
  `;
}

function Content({ message, names }) {
  const [, tick] = useState(0);
  const loading = (message.flags & MessageFlags.Loading) !== 0;
  const left = tokenLife - (Date.now() - new Date(message.timestamp));
  useEffect(() => {
    if (!loading || left < 0) return undefined;
    return wakeIn(left + 1, () => tick((count) => count + 1));
  });
  if (loading) {
    return left < 0
      ? html`<p class="failed-note">The application did not respond</p>`
      : html`<p class="thinking" role="status">
          <span class="dots" aria-hidden="true"></span>${message.author.global_name} is thinking…
        </p>`;
  }
  if (!message.content) return null;
  return html`
    <div class="content">
      <${Markdown} text=${message.content} names=${names} />
      ${message.edited_timestamp && html`<span class="edited" title=${message.edited_timestamp}>(edited)</span>`}
    </div>
  `;
}
