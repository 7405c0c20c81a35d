import { html } from "htm/preact";
import { safeLink } from "../../../web/kit/link.tsx";

export function Attachments({ attachments }) {
  return attachments.map((file) =>
    file.content_type.startsWith("image/")
      ? html`<${ImageOrLink}
          key=${file.id}
          url=${file.url}
          description=${file.description ?? file.filename}
        />`
      : html`
          <a key=${file.id} class="file" href=${file.url} download=${file.filename}>
            <span aria-hidden="true">📄</span>
            <span>${file.filename}</span>
            <span class="dim">${sizeOf(file.size)}</span>
          </a>
        `,
  );
}

/** Pictures of the sandbox itself are shown; those of the web would tell strangers who reads here. */
export function ImageOrLink({ url, description }) {
  if (url.startsWith("/attachments/") || url.startsWith("data:image/")) {
    return html`<img class="picture" src=${url} alt=${description ?? ""} />`;
  }
  const href = safeLink(url);
  return (
    href &&
    html`<a class="file" href=${href} target="_blank" rel="noreferrer">🖼 ${new URL(href).hostname}</a>`
  );
}

function sizeOf(bytes) {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`;
}
