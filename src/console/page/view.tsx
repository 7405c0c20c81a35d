import { Markdown, type Names } from "../../web/kit/markdown.tsx";
import type { PageView } from "../page-view.ts";

/** Shortcut keys for frequent actions, by their buttons' labels. */
export const keysOf: Readonly<Record<string, string>> = {
  Claim: "c",
  Release: "r",
  Approve: "a",
  Lift: "a",
  "Show again": "a",
  Hide: "h",
  Ban: "b",
  Dismiss: "d",
  Keep: "d",
  "Leave to the owner": "o",
  Undo: "u",
  Stop: "s",
  "Every target": "t",
  "Who is this?": "w",
};

/** Names of people, roles and rooms, by id. */
export type Known = Readonly<Record<string, string>> | undefined;

interface Pressable {
  onPress?: ((customId: string, value?: string) => Promise<unknown>) | undefined;
  isBusy?: boolean;
}

/** One of Castellan's answers, as Discord shows it: embeds, a menu, buttons. */
export function View({ view, names, onPress, isBusy = false }: Pressable & { view: PageView; names: Known }) {
  const { content, embeds = [], pictures = [], files = [], menu, buttons = [] } = view;
  const known = toNames(names);
  return (
    <>
      {content && (
        <div class="words">
          <Markdown text={content} names={known} />
        </div>
      )}
      {pictures.map(({ src, description }) => (
        <img key={src} class="picture" src={src} alt={description} />
      ))}
      {embeds.map((embed, index) => (
        <Embed key={index} embed={embed} names={known} />
      ))}
      {files.length > 0 && (
        <div class="buttons">
          {files.map((file) => (
            <File key={file.name} file={file} />
          ))}
        </div>
      )}
      {menu && <Menu menu={menu} onPress={onPress} isBusy={isBusy} />}
      {buttons
        .filter((row) => row.length > 0)
        .map((row, index) => (
          <div class="buttons" key={index}>
            {row.map(({ customId, label, style }) => (
              <button
                key={customId}
                type="button"
                class={`button ${style}`}
                data-key={keysOf[label]}
                aria-keyshortcuts={keysOf[label]}
                disabled={isBusy}
                onClick={() => onPress?.(customId)}
              >
                {label}
                {keysOf[label] && (
                  <>
                    {" "}
                    <kbd aria-hidden="true">{keysOf[label]}</kbd>
                  </>
                )}
              </button>
            ))}
          </div>
        ))}
    </>
  );
}

/** A file in an answer, to download. */
function File({ file: { name, text } }: { file: { name: string; text: string } }) {
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  return (
    <button type="button" class="button quiet" onClick={save}>
      Save {name}
    </button>
  );
}

function Embed({ embed, names }: { embed: NonNullable<PageView["embeds"]>[number]; names: Names }) {
  const { title, description, fields = [], footer } = embed;
  return (
    <div class="embed">
      {title && (
        <h2 class="embed-title">
          <Markdown text={title} names={names} inline />
        </h2>
      )}
      {description && (
        <div class="words">
          <Markdown text={description} names={names} />
        </div>
      )}
      {fields.length > 0 && (
        <dl class="fields">
          {fields.map(({ name, value, inline }, index) => (
            <div key={index} class={inline ? "field narrow" : "field"}>
              <dt>
                <Markdown text={name} names={names} inline />
              </dt>
              <dd class="words">
                <Markdown text={value} names={names} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {footer && <p class="footer">{footer}</p>}
    </div>
  );
}

function Menu({ menu, onPress, isBusy }: Pressable & { menu: NonNullable<PageView["menu"]> }) {
  return (
    <label class="menu">
      <span>{menu.placeholder}</span>
      <select disabled={isBusy} onChange={(event) => onPress?.(menu.customId, event.currentTarget.value)}>
        <option value="">Choose…</option>
        {menu.options.map(({ label, value }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** One line of our Markdown. */
export function Words({ text, names }: { text: string; names?: Known }) {
  return (
    <span class="words">
      <Markdown text={text} names={toNames(names)} inline />
    </span>
  );
}

function toNames(known: Known): Names {
  return { nameOf: (_kind, id) => known?.[id] };
}
