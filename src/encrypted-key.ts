import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { AppError } from "./errors.ts";

/** Format of an encrypted key: a prefix, then base64url of salt, nonce, tag and ciphertext. */
const form = /^aes-256-gcm:([\w-]+)$/;
const cipher = "aes-256-gcm";
const saltLength = 16;
const nonceLength = 12;
const tagLength = 16;
const keyLength = 32;
/** The secret may be words that a person chose, so each guess costs about 50 ms and 32 MB. */
const derivation = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };

/** A shorter secret could be guessed. */
export const shortestSecret = 24;

export function isEncrypted(text: string): boolean {
  return form.test(text);
}

/** Encrypts a private key of 64 hex digits for a settings file. */
export function encryptKey(key: string, secret: string): string {
  const [salt, nonce] = [randomBytes(saltLength), randomBytes(nonceLength)];
  const encrypting = createCipheriv(cipher, derive(secret, salt), nonce);
  const encrypted = Buffer.concat([encrypting.update(key, "hex"), encrypting.final()]);
  const parts = Buffer.concat([salt, nonce, encrypting.getAuthTag(), encrypted]);
  return `${cipher}:${parts.toString("base64url")}`;
}

/** Throws `invalid_configuration` if the secret is wrong or the text was changed or cut. */
export function decryptKey(text: string, secret: string): string {
  const parts = Buffer.from(form.exec(text)?.[1] ?? "", "base64url");
  const salt = parts.subarray(0, saltLength);
  const nonce = parts.subarray(saltLength, saltLength + nonceLength);
  const tag = parts.subarray(saltLength + nonceLength, saltLength + nonceLength + tagLength);
  const encrypted = parts.subarray(saltLength + nonceLength + tagLength);
  if (encrypted.length !== keyLength) {
    throw new AppError(
      "invalid_configuration",
      "is damaged: restore a copy of it, or run castellan setup again",
    );
  }
  try {
    const decrypting = createDecipheriv(cipher, derive(secret, salt), nonce, { authTagLength: tagLength });
    decrypting.setAuthTag(tag);
    return Buffer.concat([decrypting.update(encrypted), decrypting.final()]).toString("hex");
  } catch (cause) {
    throw new AppError(
      "invalid_configuration",
      "cannot be decrypted: it was encrypted with another secret, or changed since",
      { cause },
    );
  }
}

function derive(secret: string, salt: Buffer): Buffer {
  return scryptSync(secret, salt, keyLength, derivation);
}
