import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { userPayload } from "../payloads/guild.ts";
import { isSameSecret } from "../../../web/is-same-secret.ts";

/** The routes below the API's version that an application calls without the bot's token. */
export const oauthPrefix = "/api/v10/oauth2";

/** Discord's token endpoint (RFC 6749, with PKCE) and the data that its tokens give access to, for the scope `identify`. */
export async function addOAuthRoutes(server: FastifyInstance, { world, grants }: Context): Promise<void> {
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 8192 },
    async (_request: FastifyRequest, text: string) => new URLSearchParams(text),
  );
  const isApplication = ({ headers }: FastifyRequest) => {
    const [, basic = ""] = /^Basic (\S+)$/.exec(headers.authorization ?? "") ?? [];
    const { clientSecret } = grants;
    const expected = `${world.applicationId}:${clientSecret}`;
    return clientSecret !== undefined && isSameSecret(Buffer.from(basic, "base64").toString(), expected);
  };
  const refuse = (reply: FastifyReply, status: number, error: string) => reply.code(status).send({ error });

  server.post<{ Body: URLSearchParams }>("/token", async (request, reply) => {
    if (!isApplication(request)) return refuse(reply, 401, "invalid_client");
    const field = (name: string) => request.body.get(name) ?? "";
    if (field("grant_type") !== "authorization_code") return refuse(reply, 400, "unsupported_grant_type");
    const given = { redirectUri: field("redirect_uri"), verifier: field("code_verifier") };
    const token = grants.redeem(field("code"), given);
    if (token === undefined) return refuse(reply, 400, "invalid_grant");
    return { access_token: token, token_type: "Bearer", expires_in: 604_800, scope: "identify" };
  });
  server.post<{ Body: URLSearchParams }>("/token/revoke", async (request, reply) => {
    if (!isApplication(request)) return refuse(reply, 401, "invalid_client");
    grants.revoke(request.body.get("token") ?? "");
    return {};
  });
  server.get("/@me", async (request, reply) => {
    const [, token = ""] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "") ?? [];
    const user = world.users.get(grants.userOf(token) ?? "");
    if (!user) return reply.code(401).send({ message: "401: Unauthorized", code: 0 });
    return { application: { id: world.applicationId }, scopes: ["identify"], user: userPayload(user) };
  });
}
