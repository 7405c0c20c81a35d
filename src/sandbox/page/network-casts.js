import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { roleOf } from "./network.js";

/** The newest casts of a channel, each with what this person may do to it. */
export function CastList({ view, person, act }) {
  return html`
    <section class="net-card" aria-label="Casts">
      <h4>Casts</h4>
      ${view.casts.length === 0 && html`<p class="net-quiet">Nobody has cast here lately.</p>`}
      <ul class="net-casts">
        ${view.casts.map(
          (state) =>
            html`<${Cast} key=${state.cast.hash} state=${state} view=${view} person=${person} act=${act} />`,
        )}
      </ul>
    </section>
  `;
}

function Cast({ state, view, person, act }) {
  const [answering, setAnswering] = useState(false);
  const { cast } = state;
  const moderates = roleOf(view.channel, person.fid) !== "";
  const hidden = state.hiddenByModeration;
  const pinned = view.channel.pinnedCastHash === cast.hash;
  const moderate = (action, done) => act({ do: action, castHash: cast.hash }, done);
  return html`
    <li class="net-cast ${cast.parentHash ? "reply" : ""} ${hidden || state.hiddenByBan ? "hidden" : ""}">
      <div class="net-cast-head">
        <b>${view.names[cast.fid] ?? `fid ${cast.fid}`}</b>
        <${CastTime} at=${new Date(cast.timestamp * 1000)} />
        ${marksOf(state, pinned).map((mark) => html`<span class="net-mark" key=${mark}>${mark}</span>`)}
        <button
          class="net-copy"
          title="Copy the cast's hash"
          onClick=${() => navigator.clipboard?.writeText(cast.hash)}
        >
          ${cast.hash.slice(0, 10)}…
        </button>
      </div>
      <p>${cast.text}</p>
      <div class="net-acts">
        <button onClick=${() => setAnswering(!answering)}>Reply</button>
        ${
          moderates &&
          html`<button onClick=${() => moderate(hidden ? "unhide" : "hide", hidden ? "Shown." : "Hidden.")}>
            ${hidden ? "Show" : "Hide"}
          </button>`
        }
        ${
          moderates &&
          html`<button
            onClick=${() =>
              pinned
                ? act({ do: "unpin", channelId: view.channel.id }, "Unpinned.")
                : moderate("pin", "Pinned.")}
          >
            ${pinned ? "Unpin" : "Pin"}
          </button>`
        }
        ${
          moderates &&
          html`<button
            onClick=${() => act({ do: "ban", channelId: view.channel.id, fid: cast.fid }, "Banned.")}
          >
            Ban author
          </button>`
        }
        ${
          cast.fid === person.fid &&
          html`<button onClick=${() => moderate("remove-cast", "Removed.")}>Remove</button>`
        }
      </div>
      ${answering && html`<${ReplyForm} hash=${cast.hash} act=${act} onDone=${() => setAnswering(false)} />`}
    </li>
  `;
}

function marksOf(state, pinned) {
  return [
    pinned && "pinned",
    state.hiddenByModeration && "hidden",
    state.hiddenByBan && "hidden by ban",
    state.belowFold && "below the fold",
  ].filter(Boolean);
}

function ReplyForm({ hash, act, onDone }) {
  const [text, setText] = useState("");
  const send = (event) => {
    event.preventDefault();
    act({ do: "reply", castHash: hash, text }, "Replied.");
    onDone();
  };
  return html`
    <form class="net-line" onSubmit=${send}>
      <input
        aria-label="Reply"
        required
        maxlength="1000"
        value=${text}
        onInput=${(event) => setText(event.target.value)}
      />
      <button class="net-do">Reply</button>
    </form>
  `;
}

/** The day, too, where it is not today. */
function CastTime({ at }) {
  const today = at.toDateString() === new Date().toDateString();
  return html`<time datetime=${at.toISOString()} title=${at.toLocaleString()}>
    ${today ? at.toLocaleTimeString() : at.toLocaleString()}
  </time>`;
}
