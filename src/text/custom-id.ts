/**
 * What a button or a form of ours asks for. Discord gives it back as it stands in the sent message, maybe much later: what
 * earlier versions sent has to keep its meaning.
 */
export type CustomId =
  | { kind: "confirm" | "cancel" | "form" | "answer"; promptId: string }
  | { kind: "page"; promptId: string; page: number }
  /** A button in a room, for the command of that name to answer. */
  | { kind: "command"; command: string; words: readonly string[] };

/** At most 100 characters, as Discord wants it; none of the words may hold a colon. */
export function encodeCustomId(id: CustomId): string {
  switch (id.kind) {
    case "confirm":
    case "cancel":
    case "form":
    case "answer":
      return `${id.kind}:${id.promptId}`;
    case "page":
      return `page:${id.promptId}:${id.page}`;
    case "command":
      return [id.command, ...id.words].join(":");
  }
}

/** Reads any text; one that we never sent comes out as a command that does not exist or a prompt that nobody knows. */
export function decodeCustomId(text: string): CustomId {
  const [kind = "", ...words] = text.split(":");
  const [promptId = "", page = "0"] = words;
  switch (kind) {
    case "confirm":
    case "cancel":
    case "form":
    case "answer":
      return { kind, promptId };
    case "page":
      return { kind, promptId, page: Number(page) };
    default:
      return { kind: "command", command: kind, words };
  }
}
