import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply } from "fastify";
import { renderSVG } from "uqr";
import { KeyQuestion, signedKeyAnswers } from "../../contract/signed-keys.ts";
import { packageFolder } from "../../package-folder.ts";
import type { Api } from "../create-api.ts";

const approvalFiles = {
  "/signed-key-request": ["index.html", "text/html; charset=utf-8"],
  "/signed-key-request/approve.js": ["approve.js", "text/javascript; charset=utf-8"],
  "/signed-key-request/approve.css": ["approve.css", "text/css; charset=utf-8"],
  "/signed-key-request/castle.svg": ["castle.svg", "image/svg+xml"],
} as const;

const approvalPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page where the deeplink of a signed key request leads; it works with the contract's `signedKeyAnswers`. */
export function addApprovalPage(server: FastifyInstance, api: Pick<Api, "callText">): void {
  for (const [path, [name, type]] of Object.entries(approvalFiles)) {
    server.get(path, async (_request, reply) => {
      guardToken(reply).header("content-type", type);
      return readFile(join(packageFolder(), "src", "api", "http", "approval-page", name));
    });
  }
  server.get("/signed-key-request/code.svg", async (request, reply) => {
    const question: unknown = JSON.parse(await api.callText(signedKeyAnswers.question, request.query));
    const { deeplinkUrl } = KeyQuestion.parse(question);
    guardToken(reply).header("content-type", "image/svg+xml");
    return renderSVG(deeplinkUrl, { border: 0 });
  });
}

/** The token in the page's address is the user's alone: no referrer, no copy, nothing of others, no frames. */
function guardToken(reply: FastifyReply): FastifyReply {
  return reply
    .header("content-security-policy", approvalPolicy)
    .header("referrer-policy", "no-referrer")
    .header("cache-control", "no-store");
}
