import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import type { Context } from "../discord/context.ts";
import { authorizePath, type Asked } from "../discord/oauth/grants.ts";

interface Asking {
  Querystring: Record<string, string>;
}

/** Discord's consent page. Here choosing a person is the consent. */
export async function addAuthorizePage(server: FastifyInstance, context: Context): Promise<void> {
  const { world, grants } = context;
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: FastifyRequest, text: string) => new URLSearchParams(text),
  );
  server.get<Asking>(authorizePath, async ({ query, url }, reply) => {
    const { redirectUri } = readRequested(context, query);
    const people = [...world.users.values()].filter(({ bot }) => !bot);
    allowForm(reply, redirectUri);
    // Without a referrer, browsers omit the form's origin, which is required.
    reply.header("referrer-policy", "same-origin");
    return reply.type("text/html; charset=utf-8").send(render(url, people));
  });
  server.post<Asking & { Body: URLSearchParams }>(authorizePath, async ({ query, body }, reply) => {
    const asked = readRequested(context, query);
    const back = new URL(asked.redirectUri);
    const user = world.users.get(body.get("user") ?? "");
    if (user && !user.bot) back.searchParams.set("code", grants.allow(user.id, asked));
    else back.searchParams.set("error", "access_denied");
    if (query["state"]) back.searchParams.set("state", query["state"]);
    allowForm(reply, asked.redirectUri);
    return reply.redirect(back.href, 302);
  });
}

/** Throws if the application asks for something that Discord would refuse before showing the page. */
function readRequested({ world, grants }: Context, query: Record<string, string>): Asked {
  const { client_id, redirect_uri = "", response_type, scope = "", code_challenge = "" } = query;
  if (client_id !== world.applicationId) throw new AppError("invalid_input", "There is no such application.");
  if (!grants.redirectUris.has(redirect_uri)) {
    throw new AppError("invalid_input", "The application is not allowed to redirect to that address.");
  }
  const isRight =
    response_type === "code" && scope === "identify" && query["code_challenge_method"] === "S256";
  if (isRight && code_challenge.length === 43)
    return { redirectUri: redirect_uri, scope, challenge: code_challenge };
  throw new AppError("invalid_input", "The sandbox does not support this kind of request.");
}

/** Browsers also apply the page's policy to the final redirect of its form. */
function allowForm(reply: FastifyReply, redirectUri: string): void {
  reply.header(
    "content-security-policy",
    `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self' ${new URL(redirectUri).origin}; frame-ancestors 'none'`,
  );
}

function render(url: string, people: readonly { id: string; displayName: string }[]): string {
  const buttons = people.map(
    ({ id, displayName }) =>
      `<button name="user" value="${escapeHtml(id)}">${escapeHtml(displayName)}</button>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="dark light" />
    <title>Sign in to Castellan</title>
    <link rel="icon" href="/page/castle.svg" />
    <link rel="stylesheet" href="/page/sign-in.css" />
  </head>
  <body>
    <main>
      <h1>Sign in to Castellan</h1>
      <p>The sandbox replaces Discord. Castellan learns only who you are. Who are you?</p>
      <form method="post" action="${escapeHtml(url)}">
        ${buttons.join("\n        ")}
        <button name="user" value="" class="cancel">Cancel</button>
      </form>
    </main>
  </body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
