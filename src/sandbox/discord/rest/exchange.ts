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

/** A request from the bot. */
export interface RestRequest {
  method: string;
  /** Path below /api/v10 or /api/v9. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
  files: UploadedFile[];
}

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Exchange extends RestRequest {
  /** Milliseconds since 1970. */
  at: number;
  answer: Answer;
}

/** A request that a correct client would not have sent. */
export interface Violation {
  method: string;
  path: string;
  message: string;
  issues: readonly FormIssue[];
}
