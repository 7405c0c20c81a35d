/** `npm run conformance`: every row of the interface's document against the embedded network over HTTP, as a table. */
import { renderRows } from "./report.ts";
import { runRows } from "./run-rows.ts";

const rows = await runRows(process.cwd());
process.stdout.write(renderRows(rows));
process.exit(rows.length > 0 && rows.every(({ passed }) => passed) ? 0 : 1);
