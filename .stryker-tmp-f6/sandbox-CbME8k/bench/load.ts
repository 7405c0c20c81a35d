// @ts-nocheck
import autocannon from "autocannon";

/** What one round of load asks, sent to this process by the bench. */
export interface Round {
  url: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  headers: Record<string, string>;
  /** A request without body when absent. */
  body?: {
    fields: Record<string, unknown>;
    /** A field that counts up from here, another in each request. */
    counted?: { field: string; from: number };
  };
  seconds: number;
  connections: number;
}

/** What a round gave. */
export interface RoundResult {
  /** Answers 200..299 a second. */
  rate: number;
  answers: number;
  failures: number;
}

// Load has a process of its own, so that it costs the server's event loop nothing.
process.on("message", (round: Round) => {
  void run(round).then((result) => process.send?.(result));
});

async function run({ url, method, headers, body, seconds, connections }: Round): Promise<RoundResult> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [{ method, headers, ...(body && fillBody(body)) }],
  });
  const answers = result["2xx"];
  return { answers, rate: answers / result.duration, failures: result.non2xx + result.errors };
}

function fillBody({
  fields,
  counted,
}: NonNullable<Round["body"]>): Pick<autocannon.Request, "body" | "setupRequest"> {
  if (!counted) return { body: JSON.stringify(fields) };
  let next = counted.from;
  const setupRequest = (request: autocannon.Request): autocannon.Request => ({
    ...request,
    body: JSON.stringify({ ...fields, [counted.field]: next++ }),
  });
  return { setupRequest };
}
