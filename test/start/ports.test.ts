import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { requireListenable, sandboxSettings } from "../../src/listening.ts";
import type { Role } from "../../src/start/role.ts";
import { requireStartable } from "../../src/start/start.ts";

const DATA_DIR = mkdtempSync(join(tmpdir(), "castellan-ports-"));
afterAll(() => rmSync(DATA_DIR, { recursive: true }));

/** Free ports, except those given. */
const free = { PORT: "0", SANDBOX_PORT: "0", CONSOLE_PORT: "0", DATA_DIR };
const check = (role: Role, given: Record<string, string>) =>
  requireStartable(role, parseConfig({ ...free, ...given }));

test("a port for two servers of a process is refused, also if one of them has it by default", async () => {
  const refusals: [Record<string, string>, string][] = [
    [{ PORT: "4681", SANDBOX_PORT: "" }, "SANDBOX_PORT is the same as PORT (4681)"],
    [{ METRICS_PORT: "4682", CONSOLE_PORT: "" }, "METRICS_PORT is the same as CONSOLE_PORT (4682)"],
    [{ PORT: "5000", METRICS_PORT: "5000", HOST: "0.0.0.0" }, "METRICS_PORT is the same as PORT (5000)"],
  ];
  for (const [given, message] of refusals) await expect(check("start", given)).rejects.toThrow(message);
});

test("a port of a server that this process does not have is free for another", async () => {
  const port = await requireListenable({ host: "127.0.0.1", port: 0, ...sandboxSettings });
  const both = { PORT: String(port), SANDBOX_PORT: String(port) };
  await expect(check("api", both)).resolves.toBeUndefined();
  await expect(check("start", { METRICS_PORT: "0" })).resolves.toBeUndefined();
});
