// @ts-nocheck
import { type TestDiscord, testToken } from "./discord.ts";

export interface RawAnswer {
  status: number;
  // Whatever Discord says: tests look into it.
  body: { code?: number; message?: string; errors?: unknown; id?: string };
  headers: Headers;
}

/** Sends a request as discord.js would, but with any body: builders would refuse the wrong ones before they leave. */
export async function sendRaw(
  discord: Pick<TestDiscord, "api">,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const response = await fetch(`${discord.api}/v10${path}`, {
    method,
    headers: {
      authorization: `Bot ${testToken}`,
      "user-agent": "DiscordBot (https://example.org, 1.0)",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // The stand-in answers with JSON objects or nothing.
  return {
    status: response.status,
    body: text ? (JSON.parse(text) as RawAnswer["body"]) : {},
    headers: response.headers,
  };
}
