import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { collectLog } from "../../support/log.ts";
import { exchangeRaw } from "../../support/wild-input.ts";
import { portOf, serveNetwork } from "../../support/served-network.ts";
import { soak } from "../../support/services.ts";
import { useTestNetwork } from "../../support/test-cases.ts";

const { log, lines } = collectLog();
const network = await useTestNetwork();
const served = await serveNetwork(network, { log });
afterAll(() => served.server.close());

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array).toString("latin1"));
const path = fc.oneof(
  fc.constantFrom(
    "/v1/channel?channelId=%",
    "/v1/events?from_event_id=%00",
    "/fc/channel-bans",
    "/%2e%2e/",
    "//",
    "*",
  ),
  bytes.map((text) => `/${text.replaceAll(/[\r\n]/g, "")}`),
);
const header = fc.oneof(
  fc.constantFrom(
    "content-length: 5",
    "content-length: -1",
    "content-length: 99999999999999999999",
    "transfer-encoding: chunked",
    "transfer-encoding: gzip",
    "expect: 100-continue",
    "upgrade: websocket",
    "content-type: application/json",
    "content-type: text/plain; charset=\xff",
    "authorization: Bearer a.b.c",
    'if-none-match: "',
    "connection: close",
  ),
  bytes.map((text) => `x-wild: ${text}`),
);
/** What looks like HTTP at first, and is cut or continued anywhere. */
const request = fc
  .record({
    method: fc.constantFrom("GET", "POST", "DELETE", "PATCH", "PUT", "OPTIONS", "HEAD", "TRACE", "BREW", ""),
    path,
    version: fc.constantFrom("HTTP/1.1", "HTTP/1.0", "HTTP/9.9", ""),
    headers: fc.array(header, { maxLength: 4 }),
    body: fc.oneof(bytes, fc.constantFrom('{"channelId":', "5\r\nhello\r\n0\r\n\r\n", "\0".repeat(50))),
    length: fc.integer({ min: 1, max: 600 }),
  })
  .map(({ method, path, version, headers, body, length }) =>
    [`${method} ${path} ${version}`, "host: castle.test", ...headers, "", body].join("\r\n").slice(0, length),
  );

it("Whatever bytes come in, the connection ends without a 5xx, and the next call is answered", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(request, bytes), { minLength: 1, maxLength: 3 }), async (pieces) => {
      // The end of our side ends what waits for more.
      const received = await exchangeRaw(portOf(served.server), pieces, { endsAfterwards: true });
      const statuses = [...received.matchAll(/^HTTP\/1\.1 ([0-9]{3})/gm)].map(([, status]) => Number(status));
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      expect(lines.splice(0).map(({ err }) => err)).toEqual([]);
    }),
    { numRuns: 150 * Number(soak ?? 1), ...(soak === undefined && { seed: 20 }) },
  );
  const health = await fetch(`${served.url}/healthcheck`);
  expect(await health.json()).toEqual({ result: { status: "ok" } });
}, 600_000);
