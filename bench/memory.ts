/** `npm run bench:memory`: memory growth while 200,000 requests are answered. */
import { createApi } from "../src/api/create-api.ts";
import { serveNetwork } from "../test/support/served-network.ts";
import { moderator, prepareCalls } from "./api-calls.ts";
import { createBenchContext } from "./bench-context.ts";
import { openBenchDatabase } from "./bench-database.ts";
import { judge, row, write } from "./figures.ts";
import { startLoad } from "./load-process.ts";

const requests = 200_000;
const samples = 8;
/** Maximum rise between the halves of a flat line, in megabytes: this thread's heap, and the whole process. */
const tolerance = { heap: 8, rss: 24 };

const database = await openBenchDatabase();
const context = createBenchContext(database);
const api = createApi(context);
const calls = (await prepareCalls(database, api)).filter(({ kind }) => kind === "read");
const ours = await serveNetwork({ context, api });
const load = startLoad();

let answered = 0;
const sizes: { heap: number; rss: number }[] = [];
write(row("requests answered", "heap MB", "rss MB"));
for (let sample = 1; sample <= samples; sample++) {
  for (let turn = 0; answered < (requests * sample) / samples; turn++) {
    const call = calls[turn % calls.length];
    if (!call) throw new Error("there are calls");
    // A new token each time, because the cache of tokens must be limited, too.
    const headers = { authorization: `Bearer ${await ours.token(moderator)}` };
    const url = ours.url + call.path;
    answered += (await load.run({ url, method: "GET", headers, seconds: 1, connections: 20 })).answers;
  }
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  sizes.push({ heap: heapUsed / 1e6, rss: rss / 1e6 });
  write(row(String(answered), (heapUsed / 1e6).toFixed(1), (rss / 1e6).toFixed(0)));
}
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
// The first sample is taken while caches fill.
const settled = sizes.slice(1);
const half = Math.floor(settled.length / 2);
const met = (["heap", "rss"] as const).map((what) => {
  const until = mean(settled.slice(half).map((size) => size[what]));
  const from = mean(settled.slice(0, half).map((size) => size[what]));
  return judge(`${what}: rise between halves, MB`, until - from, { most: tolerance[what] });
});
load.end();
await ours.server.close();
await database.close();
process.exitCode = met.every(Boolean) ? 0 : 1;
