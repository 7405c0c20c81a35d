import type { z } from "zod";
import { readJson, Refused, request } from "../../web/kit/request.ts";
import type { Pressed, readers, Typed } from "../desk-routes.ts";
import type { PageView } from "../page-view.ts";
import type { listMistakes } from "../read-rules.ts";
import type { Named } from "../resolve-names.ts";
import type { Proposed, Tried, Typed as TypedRules } from "../rule-routes.ts";
import type { press, read } from "../run-button.ts";
import type { viewCase } from "../view-case.ts";
import { withQuery, type Query } from "./location.ts";

/** The result type of a server function. */
type Given<F extends (...args: never[]) => unknown> = Awaited<ReturnType<F>>;

export type ViewAnswer = Named<{ view: PageView }>;

type Readers = typeof readers;

/** The readable data of a server, by the path below it. */
export type DeskAnswers = { [P in keyof Readers]: Named<Given<Readers[P]>> } & {
  [path: `/cases/${string}/${string}`]: Named<Given<typeof viewCase>>;
  [path: `/read/${string}`]: Named<Given<typeof read>>;
  "/rules/schema": z.core.JSONSchema.JSONSchema;
};

/** The bodies sent there, and their responses. */
interface DeskPosts {
  "/run": { body: Typed; answer: ViewAnswer };
  "/press": { body: Pressed; answer: Named<Given<typeof press>> };
  "/rules/mistakes": { body: TypedRules; answer: { mistakes: Given<typeof listMistakes> } };
  "/rules/propose": { body: Proposed; answer: ViewAnswer };
  "/rules/rehearse": { body: Tried; answer: ViewAnswer };
}

export type OnProgress = (progress: ViewAnswer) => void;

const silence = "The console does not answer. Is it running, and are you online?";

let csrf = "";

/** Sent with each request that changes something. */
export function rememberCsrf(token: string): void {
  csrf = token;
}

/**
 * Sends a request to the console's server; with a body it is a POST. Long requests report progress: `onProgress`
 * receives each such view. Throws Refused; its code is "invalid_auth_token" for people who are not signed in.
 */
export async function ask(path: string, body?: object, onProgress?: OnProgress): Promise<unknown> {
  const response = await request(`/console/api${path}`, silence, {
    body,
    headers: { "x-csrf-token": csrf },
  });
  if (!response.headers.get("content-type")?.startsWith("application/x-ndjson")) return readJson(response);
  return readLines(response, onProgress);
}

/** A line of an answer with progress: see answer-with-progress.ts. */
interface Line {
  progress?: ViewAnswer;
  error?: { code: string; message: string };
  names?: Record<string, string>;
}

/** The last line is the answer; the lines before it report progress. */
async function readLines({ body }: Response, onProgress: OnProgress | undefined): Promise<unknown> {
  let answer: Line | undefined;
  let rest = "";
  try {
    for await (const text of chunksOf(body)) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const written of lines) {
        const line = JSON.parse(written) as Line;
        if (line.progress) onProgress?.(line.progress);
        else answer = line;
      }
    }
  } catch {
    // A missing answer is reported below.
  }
  if (!answer) throw new Refused("The console stopped answering. The action may continue. Check again.");
  const { error, names } = answer;
  if (error) throw new Refused(error.message, { code: error.code, names });
  return answer;
}

/** Not every browser supports a stream in a for loop. */
async function* chunksOf(body: Response["body"]): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read())
    yield part.value;
}

/** The page's requests about one server. The types are our own server's. */
export function deskOf(serverId: string) {
  const base = `/servers/${serverId}`;
  return {
    base,
    read: <P extends keyof DeskAnswers>(path: P, query: Query = {}) =>
      ask(withQuery(`${base}${path}`, query)) as Promise<DeskAnswers[P]>,
    send: <P extends keyof DeskPosts>(path: P, body: DeskPosts[P]["body"], onProgress?: OnProgress) =>
      ask(`${base}${path}`, body, onProgress) as Promise<DeskPosts[P]["answer"]>,
  };
}

export type Desk = ReturnType<typeof deskOf>;
