import type { FormIssue } from "../discord-error.ts";

export interface UploadedFile {
  /** Name of the form field: files[0] and so on. */
  field: string;
  filename: string;
  contentType: string;
  content: Buffer;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Files next to the JSON of a form; only requests to the REST API have them. */
    files: UploadedFile[];
  }
}

/** A request that a correct client would not have sent. */
export interface Violation {
  method: string;
  path: string;
  message: string;
  issues: readonly FormIssue[];
}
