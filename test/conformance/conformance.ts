/**
 * `npm run conformance`: every row of the interface's document over HTTP, as a table; against the embedded network, or
 * against the server that the options name.
 */
import { parseArgs } from "node:util";
import type { ServerAddress } from "../support/interface-server.ts";
import { places } from "./places/index.ts";
import { renderReport, showPlaces } from "./report.ts";
import { runRows } from "./run-rows.ts";

const usage = `npm run conformance                  the embedded network of this project
npm run conformance -- --base-url URL --fname-url URL --hub-url URL --operator-token TOKEN
                                     a server that takes the operator operations of docs/operate/hosting.md;
                                     its fids 1 to 40 and 9101 must be free, or of an earlier run
`;

function readServer(): ServerAddress | undefined {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: { "base-url": text, "fname-url": text, "hub-url": text, "operator-token": text },
  });
  const { "base-url": base, "fname-url": names, "hub-url": hub, "operator-token": operatorToken } = values;
  if (Object.keys(values).length === 0) return undefined;
  if (!base || !names || !hub || !operatorToken) throw new Error("All four options are needed.");
  return { base, names, hub, operatorToken };
}

try {
  const server = readServer();
  const rows = await runRows(process.cwd(), server && { server });
  const shown = showPlaces(places, rows);
  process.stdout.write(renderReport(rows, shown));
  const holds = [...rows, ...shown].every(({ state }) => state === "passed" || state === "unasked");
  process.exitCode = rows.length > 0 && holds ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 2;
}
process.exit();
