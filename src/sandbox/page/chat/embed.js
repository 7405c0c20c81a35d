import { ImageOrLink } from "./media.js";
import { Link } from "../../../web/kit/link.tsx";
import { Markdown } from "../../../web/kit/markdown.tsx";
import { Clock } from "../../../web/kit/timestamp.tsx";
import { html } from "htm/preact";

export function Embed({ embed, names }) {
  const { author, title, url, description, fields = [], image, thumbnail, footer, timestamp } = embed;
  return html`
    <div class="embed" ref=${paint(embed.color)}>
      <div class="embed-text">
        ${author && html`<p class="embed-author"><${Link} url=${author.url}>${author.name}<//></p>`}
        ${
          title &&
          html`<p class="embed-title">
            <${Link} url=${url}><${Markdown} text=${title} names=${names} inline /><//>
          </p>`
        }
        ${description && html`<div class="embed-description"><${Markdown} text=${description} names=${names} /></div>`}
        ${
          fields?.length > 0 &&
          html`
            <dl class="fields">
              ${fields.map(
                (field, index) => html`
                  <div key=${index} class=${field.inline ? "field inline" : "field"}>
                    <dt><${Markdown} text=${field.name} names=${names} inline /></dt>
                    <dd><${Markdown} text=${field.value} names=${names} /></dd>
                  </div>
                `,
              )}
            </dl>
          `
        }
        ${image && html`<${ImageOrLink} url=${image.url} description="" />`}
        ${
          (footer || timestamp) &&
          html`
            <p class="embed-footer">
              ${footer?.text}${footer && timestamp ? " · " : ""}${timestamp && html`<${Clock} date=${timestamp} style="f" />`}
            </p>
          `
        }
      </div>
      ${thumbnail && html`<div class="embed-thumbnail"><${ImageOrLink} url=${thumbnail.url} description="" /></div>`}
    </div>
  `;
}

/** The accent colour is data, and a strict policy allows it only as a property, not as markup. */
export function paint(color) {
  return (element) => {
    if (element && color != null)
      element.style.setProperty("--accent-bar", `#${color.toString(16).padStart(6, "0")}`);
  };
}
