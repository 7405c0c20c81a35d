import { useState } from "preact/hooks";
import { parseMarkdown, parseTitle } from "./parse-markdown.js";
import { safeLink } from "./media.js";
import { Clock } from "./timestamp.js";
import { html } from "htm/preact";

/** `names` ({view, guild}) says what the ids in mentions are called. */
export function Markdown({ text, names, inline = false }) {
  if (inline) return html`<${Nodes} nodes=${parseTitle(text)} names=${names} />`;
  return html`<${Blocks} blocks=${parseMarkdown(text)} names=${names} />`;
}

function Blocks({ blocks, names }) {
  return blocks.map((block, index) => html`<${Block} key=${index} block=${block} names=${names} />`);
}

function Block({ block, names }) {
  const inner = block.children && html`<${Nodes} nodes=${block.children} names=${names} />`;
  switch (block.type) {
    case "code_block":
      return html`<pre><code>${block.text}</code></pre>`;
    case "heading":
      return html`<p class=${`heading heading-${block.level}`} role="heading" aria-level=${block.level + 2}>
        ${inner}
      </p>`;
    case "small":
      return html`<p class="small">${inner}</p>`;
    case "quote":
      return html`<blockquote>${inner}</blockquote>`;
    case "list": {
      const items = block.items.map(
        ({ children, within }, index) => html`
          <li key=${index}>
            <${Nodes} nodes=${children} names=${names} /><${Blocks} blocks=${within} names=${names} />
          </li>
        `,
      );
      return block.start === null
        ? html`<ul class="list">
            ${items}
          </ul>`
        : html`<ol class="list" start=${block.start}>
            ${items}
          </ol>`;
    }
    default:
      return html`<p>${inner}</p>`;
  }
}

function Nodes({ nodes, names }) {
  return nodes.map((node, index) =>
    typeof node === "string" ? node : html`<${Inline} key=${index} node=${node} names=${names} />`,
  );
}

function Inline({ node, names }) {
  const inner = node.children && html`<${Nodes} nodes=${node.children} names=${names} />`;
  switch (node.type) {
    case "break":
      return html`<br />`;
    case "code":
      return html`<code>${node.text}</code>`;
    case "strong":
      return html`<strong>${inner}</strong>`;
    case "emphasis":
      return html`<em>${inner}</em>`;
    case "underline":
      return html`<u>${inner}</u>`;
    case "strike":
      return html`<s>${inner}</s>`;
    case "spoiler":
      return html`<${Spoiler}>${inner}<//>`;
    case "link":
      return html`<a href=${safeLink(node.url)} target="_blank" rel="noreferrer">${inner}</a>`;
    case "time":
      return html`<span class="stamp"><${Clock} date=${node.seconds * 1000} style=${node.style} /></span>`;
    case "command":
      if (!names.write) return html`<span class="mention">/${node.name}</span>`;
      return html`<button type="button" class="mention" onClick=${() => names.write(`/${node.name} `)}>
        /${node.name}
      </button>`;
    default:
      return html`<span class="mention">${mentionText(node, names)}</span>`;
  }
}

function named(list, id) {
  return list?.find((one) => one.id === id);
}

function mentionText(node, { view, guild }) {
  switch (node.type) {
    case "user":
      return `@${node.id === view.bot.id ? view.bot.name : (named(view.people, node.id)?.displayName ?? "unknown-user")}`;
    case "role":
      return `@${named(guild?.roles, node.id)?.name.replace(/^@/, "") ?? "deleted-role"}`;
    case "room":
      return `#${named(guild?.rooms, node.id)?.name ?? "unknown"}`;
    default:
      return `@${node.name}`;
  }
}

function Spoiler({ children }) {
  const [shown, setShown] = useState(false);
  if (shown) return html`<span class="spoiler shown">${children}</span>`;
  return html`
    <button type="button" class="spoiler" aria-label="Show spoiler" onClick=${() => setShown(true)}>
      <span aria-hidden="true">${children}</span>
    </button>
  `;
}
