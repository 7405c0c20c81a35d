import { createHash, createHmac, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";
import { Query } from "./request-schemas.ts";
import { fetchUserByCode } from "./ask-discord.ts";
import type { ConsoleParts } from "./console-parts.ts";
import { createCookie } from "./cookies.ts";
import type { Limits } from "./limits.ts";
import { beginSession, endSession, readSession, sessionLife } from "./sessions.ts";
import { isSameSecret } from "../web/is-same-secret.ts";

/** The redirect address for Discord. */
export const callbackPath = "/console/callback";

/** Seconds that a person may take on Discord's page. */
const signInSeconds = 600;

/**
 * Sign-in with Discord (OAuth2: authorization code with PKCE and state) and sign-out. A cookie of the starting browser
 * contains the expected state, so that nobody can be signed in as the sender of a link.
 */
export function addSignIn(server: FastifyInstance, parts: ConsoleParts, { limitSignIns }: Limits): void {
  const { context, origin, application, authorizeUrl } = parts;
  const ways = createWays(context.clock, application.secret);
  const redirectUri = `${origin}${callbackPath}`;
  const onTheWay = createCookie(origin, "sign-in");
  const session = createCookie(origin, "session");

  server.get("/console/sign-in", async ({ query }, reply) => {
    const [state, verifier] = [randomBytes(24).toString("base64url"), randomBytes(32).toString("base64url")];
    const to = Buffer.from(toSafeRedirect(Query.parse(query).to)).toString("base64url");
    const until = Math.floor(context.clock.now() / 1000) + signInSeconds;
    onTheWay.write(reply, ways.seal([state, verifier, to, String(until)]), signInSeconds);
    const there = new URL(authorizeUrl);
    there.search = new URLSearchParams({
      client_id: application.id,
      response_type: "code",
      redirect_uri: redirectUri,
      scope: "identify",
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      prompt: "none",
    }).toString();
    return reply.redirect(there.href, 302);
  });

  server.get(callbackPath, async (request, reply) => {
    const { code, state = "", error } = Query.parse(request.query);
    const [expected = "", verifier = "", to = ""] = ways.open(onTheWay.read(request) ?? "");
    onTheWay.clear(reply);
    if (error !== undefined) return reply.redirect("/console?problem=refused", 302);
    if (expected === "" || !isSameSecret(state, expected) || !code) {
      const words = "This sign-in was not started in this browser, or took too long. Please sign in again.";
      throw new AppError("not_allowed", words);
    }
    // A state is used only once. Invented or repeated ones do not affect other people's sign-ins.
    ways.end(expected);
    await limitSignIns(request);
    const userId = await fetchUserByCode(application, { code, verifier, redirectUri });
    const token = await beginSession(parts.context, userId, session.read(request));
    session.write(reply, token, sessionLife / 1000);
    return reply.redirect(toSafeRedirect(Buffer.from(to, "base64url").toString()), 302);
  });

  server.post("/console/api/sign-out", async (request, reply) => {
    const token = session.read(request);
    if (token !== undefined) await endSession(parts.context, token);
    session.clear(reply);
    return {};
  });
}

const maxEnded = 10_000;

/**
 * The state that is sent to Discord and back. It is signed, so that only states from this installation are accepted,
 * in any process, and each only once.
 */
function createWays(clock: Clock, secret: string) {
  const ended = new LRUCache<string, true>({ max: maxEnded });
  const sign = (text: string) => createHmac("sha256", `sign-in ${secret}`).update(text).digest("base64url");
  return {
    seal: (parts: readonly string[]) => `${parts.join(".")}.${sign(parts.join("."))}`,
    /** Empty for a state that is foreign, expired or used. */
    open(sealed: string): string[] {
      const parts = sealed.split(".");
      const signature = parts.pop() ?? "";
      const [state = "", , , until] = parts;
      const isOurs = isSameSecret(signature, sign(parts.join(".")));
      return isOurs && Number(until) * 1000 > clock.now() && !ended.has(state) ? parts : [];
    },
    end: (state: string) => void ended.set(state, true),
  };
}

/** The signed-in person, by this request's cookie; undefined if nobody is. */
export function createSessionReader({ context, origin }: ConsoleParts) {
  const cookie = createCookie(origin, "session");
  return (request: FastifyRequest) => readSession(context, cookie.read(request));
}

/** A path within the console, regardless of the request, so that nobody is redirected elsewhere. */
function toSafeRedirect(path: string | undefined): string {
  return path !== undefined && /^\/console(\/[\w/-]*)?(\?[\w=&%.+-]*)?$/.test(path) ? path : "/console";
}
