import { Link, safeLink } from "../../../web/kit/link.tsx";
import { Icon } from "../icon.tsx";
import type { AttachmentPayload } from "../../discord/payloads/message.ts";

export function Attachments({ attachments }: { attachments: readonly AttachmentPayload[] }) {
  return (
    <>
      {attachments.map((file) =>
        file.content_type.startsWith("image/") ? (
          <ImageOrLink key={file.id} url={file.url} description={file.description ?? file.filename} />
        ) : (
          <a key={file.id} class="file" href={file.url} download={file.filename}>
            <Icon sign="file" />
            <span>{file.filename}</span>
            <span class="dim">{sizeOf(file.size)}</span>
          </a>
        ),
      )}
    </>
  );
}

/** Shows only the sandbox's own pictures. Pictures from the web would reveal the reader to strangers. */
export function ImageOrLink({ url, description }: { url: string; description: string | null | undefined }) {
  if (url.startsWith("/attachments/") || url.startsWith("data:image/")) {
    return <img class="picture" src={url} alt={description ?? ""} />;
  }
  const href = safeLink(url);
  if (href === undefined) return null;
  return (
    <Link class="file" url={href}>
      <Icon sign="picture" /> {new URL(href).hostname}
    </Link>
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`;
}
