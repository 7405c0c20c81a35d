/** `npm run bench:signatures`: compares checks of tokens and name transfers with the bare signature operations in them. */
import { verifyAsync } from "@noble/ed25519";
import { createApi } from "../src/api/create-api.ts";
import { isSignedBy, lowerHex } from "../src/api/signatures.ts";
import { describeClaim } from "../src/contract/name-claim.ts";
import { seconds } from "../src/clock.ts";
import { custodyOf, keyOf, makeToken, signTransfer, type TransferInput } from "../test/support/signing.ts";
import { createBenchContext } from "./bench-context.ts";
import { openBenchDatabase } from "./bench-database.ts";
import { judge, median, row, write } from "./figures.ts";

const tokens = 400;
const cachedChecks = 200_000;
const transfers = 300;
const fid = 7;
/** Milliseconds, with the embedded engine. It was 4.1 before statements were planned only once. */
const maxConcurrent = 3;

const database = await openBenchDatabase();
const context = createBenchContext(database);
const api = createApi(context);
const people = Array.from({ length: transfers }, (_, index) => 1000 + index);
await api.operator.importNetwork({
  accounts: [
    { fid, custodyAddress: custodyOf(fid).address, appKeys: [await keyOf(fid)] },
    ...people.map((person) => ({ fid: person, custodyAddress: custodyOf(person).address })),
  ],
});

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) * 1000;
}

/** Medians in microseconds, measured in turns. */
async function medians<Item>(
  items: readonly Item[],
  bare: (item: Item) => unknown,
  ours: (item: Item) => unknown,
): Promise<{ bare: number; ours: number }> {
  const times = { bare: [] as number[], ours: [] as number[] };
  for (const item of items) {
    times.bare.push(await timed(() => bare(item)));
    times.ours.push(await timed(() => ours(item)));
  }
  return { bare: median(times.bare), ours: median(times.ours) };
}

const now = seconds(context.clock);
const headers = await Promise.all(
  Array.from({ length: tokens }, async (_, index) => `Bearer ${await makeToken(fid, now + 300 + index)}`),
);
const key = Buffer.from((await keyOf(fid)).slice(2), "hex");
const verifyBare = (header: string) => {
  const [head = "", payload = "", signature = ""] = header.slice(7).split(".");
  return verifyAsync(Buffer.from(signature, "base64url"), Buffer.from(`${head}.${payload}`), key, {
    zip215: false,
  });
};
const checks = await medians(headers, verifyBare, (header) => api.authenticate(header));
const [known = ""] = headers;
const cached = await timed(async () => {
  for (let check = 0; check < cachedChecks; check++) await api.authenticate(known);
});

const drafts = await Promise.all(
  people.map((person) => signTransfer({ name: `n${person}`, from: 0, to: person, timestamp: now })),
);
const { registry } = context;
const signBare = (input: TransferInput) => {
  const claim = { name: input.name, owner: lowerHex(input.owner), timestamp: input.timestamp };
  const digest = registry.hash(describeClaim(registry.domain, claim));
  isSignedBy(claim.owner, digest, input.signature);
  registry.sign(digest);
};
const registrations = await medians(drafts, signBare, (draft) => api.network().transfers.create(draft));

write(row("microseconds", "bare", "ours"));
write(row("token, unknown before", checks.bare.toFixed(0), checks.ours.toFixed(0)));
write(row("registration of a name", registrations.bare.toFixed(0), registrations.ours.toFixed(0)));
const beside = (registrations.ours - registrations.bare) / 1000;
const met = [
  judge("token beside @noble/ed25519's check", checks.ours / checks.bare, { most: 1.3 }),
  judge("known tokens a second", (cachedChecks / cached) * 1e6, { least: 50_000 }),
  judge("ms of a registration beside its signatures", beside, { most: maxConcurrent }),
];
await database.close();
process.exitCode = met.every(Boolean) ? 0 : 1;
