import type { FormIssue } from "../discord-error.ts";

export interface UploadedFile {
  /** Name of the form field: files[0] and so on. */
  field: string;
  filename: string;
  contentType: string;
  content: Buffer;
}

export interface RestRequest<Parameters = Record<string, string>> {
  method: string;
  /** Path below /api/v10 or /api/v9. */
  path: string;
  parameters: Parameters;
  query: URLSearchParams;
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

export function ok(body: unknown, headers: Record<string, string> = {}): Answer {
  return { status: 200, body, headers };
}

export const noContent: Answer = { status: 204 };
