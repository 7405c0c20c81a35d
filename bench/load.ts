import autocannon from "autocannon";

/** One round of load, which the bench sends to this process. */
export interface Round {
  url: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  headers: Record<string, string>;
  /** If absent, the requests have no body. */
  body?: {
    fields: Record<string, unknown>;
    /** A field that counts up from here, with a different value in each request. */
    counted?: { field: string; from: number };
  };
  seconds: number;
  connections: number;
}

/** The result of a round. */
export interface RoundResult {
  /** Responses 200..299 a second. */
  rate: number;
  answers: number;
  failures: number;
}

// A separate process, so that load does not use the server's event loop.
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
