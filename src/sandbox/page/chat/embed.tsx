import { ImageOrLink } from "./media.tsx";
import { Link } from "../../../web/kit/link.tsx";
import { Markdown, type Names } from "../../../web/kit/markdown.tsx";
import { Clock } from "../../../web/kit/timestamp.tsx";
import type { ChatMessage } from "../../chat-pane/chat-view.ts";

export function Embed({ embed, names }: { embed: ChatMessage["embeds"][number]; names: Names }) {
  const { author, title, url, description, fields, image, thumbnail, footer, timestamp } = embed;
  return (
    <div class="embed" style={barOf(embed.color)}>
      <div class="embed-text">
        {author && (
          <p class="embed-author">
            <Link url={author.url}>{author.name}</Link>
          </p>
        )}
        {title && (
          <p class="embed-title">
            <Link url={url}>
              <Markdown text={title} names={names} inline />
            </Link>
          </p>
        )}
        {description && (
          <div class="embed-description">
            <Markdown text={description} names={names} />
          </div>
        )}
        {fields && fields.length > 0 && (
          <dl class="fields">
            {fields.map((field, index) => (
              <div key={index} class={field.inline ? "field inline" : "field"}>
                <dt>
                  <Markdown text={field.name} names={names} inline />
                </dt>
                <dd>
                  <Markdown text={field.value} names={names} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        {image && <ImageOrLink url={image.url} description="" />}
        {(footer || timestamp) && (
          <p class="embed-footer">
            {footer?.text}
            {footer && timestamp ? " · " : ""}
            {timestamp && <Clock date={timestamp} style="f" />}
          </p>
        )}
      </div>
      {thumbnail && (
        <div class="embed-thumbnail">
          <ImageOrLink url={thumbnail.url} description="" />
        </div>
      )}
    </div>
  );
}

/** The bar at the side of an embed or a container, which has a colour of its own. */
export function barOf(color: number | null | undefined) {
  return color == null ? undefined : { "--accent-bar": `#${color.toString(16).padStart(6, "0")}` };
}
