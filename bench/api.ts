/** `npm run bench:api`: compares each kind of call with a bare server that sends the same statements. */
import { createApi } from "../src/api/create-api.ts";
import { portOf, serveNetwork } from "../test/support/served-network.ts";
import { moderator, prepareCalls, targets, type BenchedCall } from "./api-calls.ts";
import { createBareServer } from "./bare-server.ts";
import { createBenchContext } from "./bench-context.ts";
import { openBenchDatabase } from "./bench-database.ts";
import { median, note, row, write } from "./figures.ts";
import { startLoad } from "./load-process.ts";
import { recordStatements } from "../test/support/database.ts";

const rounds = 9;
const connections = 10;
const seconds = 1;

const database = await openBenchDatabase();
const context = createBenchContext(database);
const api = createApi(context);
const calls = await prepareCalls(database, api);
const recorded = [];
for (const call of calls) {
  recorded.push({ ...call, statements: await recordStatements(() => call.call(api.network(moderator))) });
}
const ours = await serveNetwork({ context, api });
const bare = createBareServer(database.pool, recorded);
await bare.listen({ host: "127.0.0.1", port: 0 });
const urls = { bare: `http://127.0.0.1:${portOf(bare)}`, ours: ours.url };
const load = startLoad();

let nextFid = 1_000_000_000;
/** Statements of a repeated call; on a server, each is a round trip. */
const statements = new Map<BenchedCall, number>();
for (const call of calls) {
  const headers = await headersOf(call);
  await ask(call, headers);
  statements.set(call, (await recordStatements(() => ask(call, headers))).length);
}
const missed: string[] = [];
write(`${database.engine} Postgres, ${connections} connections, medians of ${rounds} rounds of ${seconds} s`);
write(row("", "bare/s", "ours/s", "ratio", "goal", "bare µs", "ours µs", "sent"));
// Warms up the code that all calls share, before the first of them counts.
for (const call of calls) {
  for (const server of ["bare", "ours"] as const) await measure(call, urls[server]);
}
for (const call of calls) {
  const results = { bare: [] as Measured[], ours: [] as Measured[] };
  for (let round = 0; round < rounds; round++) {
    const order = ["bare", "ours"] as const;
    for (const server of round % 2 === 0 ? order : order.toReversed()) {
      results[server].push(await measure(call, urls[server]));
    }
  }
  const rate = (server: "bare" | "ours") => median(results[server].map((each) => each.rate));
  const cost = (server: "bare" | "ours") => median(results[server].map((each) => each.cost)).toFixed(0);
  // Compared per round, because a machine's speed changes from one minute to the next.
  const ratio = median(results.ours.map((each, round) => each.rate / (results.bare[round]?.rate ?? 0)));
  const name = `${call.method} ${call.path.split("?")[0]}`;
  if (!note(`${name}, ours to bare`, ratio, { least: targets[call.kind] })) missed.push(name);
  const figures = [
    rate("bare").toFixed(0),
    rate("ours").toFixed(0),
    ratio.toFixed(2),
    `≥ ${targets[call.kind]}`,
  ];
  write(row(name, ...figures, cost("bare"), cost("ours"), String(statements.get(call))));
}
load.end();
await ours.server.close();
await bare.close();
await database.close();
write(missed.length === 0 ? "every goal is met" : `MISSED: ${missed.join(", ")}`);
process.exitCode = missed.length === 0 ? 0 : 1;

interface Measured {
  rate: number;
  cost: number;
}

async function headersOf({ method }: BenchedCall): Promise<Record<string, string>> {
  if (method === "GET") return {};
  return { authorization: `Bearer ${await ours.token(moderator)}`, "content-type": "application/json" };
}

async function ask({ method, path, body }: BenchedCall, headers: Record<string, string>): Promise<void> {
  const fields = { ...body?.fields, ...(body?.counted !== undefined && { [body.counted]: (nextFid += 1) }) };
  const sent = body ? { body: JSON.stringify(fields) } : {};
  const answer = await fetch(ours.url + path, { method, headers, ...sent });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  await answer.arrayBuffer();
}

async function measure(call: BenchedCall, origin: string): Promise<Measured> {
  const { method, path, body } = call;
  const headers = await headersOf(call);
  const counted = body?.counted !== undefined && { counted: { field: body.counted, from: nextFid } };
  nextFid += 1_000_000;
  return load.run({
    url: origin + path,
    method,
    headers,
    ...(body && { body: { fields: body.fields, ...counted } }),
    seconds,
    connections,
  });
}
