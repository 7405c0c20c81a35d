import type { FastifyInstance } from "fastify";
import { addPageFiles } from "./page-files.ts";

/** Scalar writes its styles into the page. Scripts stay our own, for other pages have the same origin. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " +
  "img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const files = {
  "/reference": "reference.html",
  "/reference/reference.js": "reference.js",
  "/reference/reference.js.map": "reference.js.map",
  "/reference/scalar.js": "scalar.js",
  "/reference/castle.svg": "castle.svg",
};

/** The page for people next to openapi.json, at /reference. */
export function addReferencePage(server: FastifyInstance): void {
  addPageFiles(server, files, { "content-security-policy": policy });
}
