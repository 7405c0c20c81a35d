import { AppError } from "../errors.ts";

/** Decodes a UTF-8 file. Throws `invalid_file` for another encoding. */
export function decodeUtf8(bytes: Uint8Array | ArrayBuffer, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError("invalid_file", `${name} is not UTF-8. Save it as UTF-8, and try again.`, { cause });
  }
}
