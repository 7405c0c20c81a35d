import { encodeCustomId } from "../text/custom-id.ts";
import type { RoomButton } from "./rooms.ts";

/**
 * A button that runs a command as if the person who presses it had typed it, with these options: it grants no rights, and
 * works as long as its message exists.
 */
export function runButton(
  label: string,
  path: string,
  options: Readonly<Record<string, string>>,
  style: RoomButton["style"] = "secondary",
): RoomButton {
  return { customId: encodeCustomId({ kind: "run", path, options }), label, style };
}
