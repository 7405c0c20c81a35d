import { AppError } from "../errors.ts";

/** The text of a file in UTF-8. Throws `invalid_file` where it is in another encoding. */
export function decodeUtf8(bytes: Uint8Array | ArrayBuffer, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError("invalid_file", `${name} is not UTF-8. Save it as UTF-8, and try again.`, { cause });
  }
}
