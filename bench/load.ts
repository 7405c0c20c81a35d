import autocannon from "autocannon";

/** What one round of load asks, sent to this process by the bench. */
export interface Round {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  /** The first of the fids to ban, each once; a request without body when absent. */
  firstFid?: number;
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

async function run({ url, method, headers, firstFid, seconds, connections }: Round): Promise<RoundResult> {
  let fid = firstFid ?? 0;
  const setupRequest = (request: autocannon.Request): autocannon.Request => ({
    ...request,
    body: JSON.stringify({ channelId: "memes", banFid: fid++ }),
  });
  const request = { method, headers, ...(firstFid !== undefined && { setupRequest }) };
  const result = await autocannon({ url, connections, duration: seconds, requests: [request] });
  const answers = result["2xx"];
  return { answers, rate: answers / result.duration, failures: result.non2xx + result.errors };
}
