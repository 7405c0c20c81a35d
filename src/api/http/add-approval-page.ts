import type { FastifyInstance } from "fastify";
import { renderSVG } from "uqr";
import { KeyQuestion, signedKeyAnswers } from "../../contract/signed-keys.ts";
import { addPageFiles } from "../../web/page-files.ts";
import type { Api } from "../create-api.ts";

const approvalFiles = {
  "/signed-key-request": "approve.html",
  "/signed-key-request/approve.js": "approve.js",
  "/signed-key-request/approve.js.map": "approve.js.map",
  "/signed-key-request/approve.css": "approve.css",
  "/signed-key-request/approve.css.map": "approve.css.map",
  "/signed-key-request/castle.svg": "castle.svg",
};

/** The token in the page's address is secret: no referrer, no caching, no third-party content, no frames. */
const guardToken = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** The page that a signed key request's deeplink opens; it uses the contract's `signedKeyAnswers`. */
export function addApprovalPage(server: FastifyInstance, api: Pick<Api, "callText">): void {
  addPageFiles(server, approvalFiles, guardToken);
  server.get("/signed-key-request/code.svg", async (request, reply) => {
    const question: unknown = JSON.parse(await api.callText(signedKeyAnswers.question, request.query));
    const { deeplinkUrl } = KeyQuestion.parse(question);
    reply.headers({ ...guardToken, "content-type": "image/svg+xml" });
    return renderSVG(deeplinkUrl, { border: 0 });
  });
}
