import { z } from "zod";
import { AppError } from "../errors.ts";

/** The application's identity at Discord. */
export interface Application {
  id: string;
  secret: string;
  /** Base address of the REST API, without version: "https://discord.com/api". */
  api: string;
}

const Token = z.object({ access_token: z.string().min(1) });
const Authorization = z.object({
  application: z.object({ id: z.string() }),
  user: z.object({ id: z.string().regex(/^\d{5,20}$/) }),
});

/** Milliseconds that Discord may take to answer. */
const timeoutMs = 10_000;

/**
 * Returns the id of the person who signed in with this code. The access token is revoked at once, because the console
 * reads everything else with the bot's own token. Throws `not_allowed` for a code that Discord does not accept.
 */
export async function fetchUserByCode(
  application: Application,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<string> {
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
  const answer = await ask(application, "POST", "/oauth2/token", form);
  if (answer.status === 401) {
    throw new AppError("invalid_configuration", "Discord does not accept DISCORD_CLIENT_SECRET.");
  }
  const token = Token.safeParse(answer.body).data?.access_token;
  if (answer.status !== 200 || token === undefined) {
    throw new AppError("not_allowed", "Discord did not confirm the sign-in. Please sign in again.");
  }
  const shown = await ask(application, "GET", "/oauth2/@me", token);
  const found = Authorization.safeParse(shown.body).data;
  await ask(application, "POST", "/oauth2/token/revoke", { token }).catch(() => {});
  if (shown.status === 200 && found?.application.id === application.id) return found.user.id;
  throw new AppError("not_allowed", "Discord did not return your identity. Please sign in again.");
}

/** With a form the application authenticates, with a token the person. Throws `discord_unreachable`. */
async function ask(
  { id, secret, api }: Application,
  method: string,
  path: string,
  given: string | Record<string, string>,
): Promise<{ status: number; body: unknown }> {
  const isToken = typeof given === "string";
  const basic = Buffer.from(`${id}:${secret}`).toString("base64");
  try {
    const response = await fetch(`${api}/v10${path}`, {
      method,
      headers: { authorization: isToken ? `Bearer ${given}` : `Basic ${basic}` },
      ...(!isToken && { body: new URLSearchParams(given) }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "error",
    });
    if (response.status >= 500 || response.status === 429)
      throw new Error(`Discord answers ${response.status}`);
    return { status: response.status, body: await response.json().catch(() => undefined) };
  } catch (cause) {
    throw new AppError("discord_unreachable", "Discord does not answer. Please try again in a minute.", {
      cause,
    });
  }
}
