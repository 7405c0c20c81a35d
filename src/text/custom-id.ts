/**
 * The meaning of a button's or form's id. Discord returns it as sent, perhaps much later, so ids from earlier versions
 * must keep their meaning.
 */
export type CustomId =
  | { kind: "cancel" | "answer"; promptId: string }
  /** Opens a form; the result of "fill" replaces the message with the button. */
  | { kind: "form" | "fill"; promptId: string }
  /** With the index of one choice if the prompt has several. */
  | { kind: "confirm" | "choose"; promptId: string; choice?: string }
  | { kind: "page"; promptId: string; page: number }
  /** Runs a command as if the person who presses it had typed it, with these options. */
  | { kind: "run"; path: string; options: Readonly<Record<string, string>> }
  /** A button in a room, handled by the command with this name. */
  | { kind: "command"; command: string; words: readonly string[] };

/** At most 100 characters, as Discord requires; no word or value may contain a colon. */
export function encodeCustomId(id: CustomId): string {
  switch (id.kind) {
    case "cancel":
    case "form":
    case "fill":
    case "answer":
      return `${id.kind}:${id.promptId}`;
    case "confirm":
    case "choose":
      return [id.kind, id.promptId, ...(id.choice === undefined ? [] : [id.choice])].join(":");
    case "page":
      return `page:${id.promptId}:${id.page}`;
    case "run": {
      const options = Object.entries(id.options).map(([name, value]) => `${name}=${value}`);
      return ["run", id.path, ...options].join(":");
    }
    case "command":
      return [id.command, ...id.words].join(":");
  }
}

/** Decodes any text; one that Castellan never sent becomes a command or prompt that does not exist. */
export function decodeCustomId(text: string): CustomId {
  const [kind = "", ...words] = text.split(":");
  const [promptId = "", page = "0"] = words;
  switch (kind) {
    case "cancel":
    case "form":
    case "fill":
    case "answer":
      return { kind, promptId };
    case "confirm":
    case "choose":
      return { kind, promptId, ...(words[1] !== undefined && { choice: words[1] }) };
    case "page":
      return { kind, promptId, page: Number(page) };
    case "run": {
      const [path = "", ...options] = words;
      return { kind, path, options: Object.fromEntries(options.map(splitOption)) };
    }
    default:
      return { kind: "command", command: kind, words };
  }
}

function splitOption(option: string): [string, string] {
  const at = option.indexOf("=");
  return [option.slice(0, at), option.slice(at + 1)];
}
