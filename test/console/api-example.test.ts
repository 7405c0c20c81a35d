import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { apiOf } from "../support/api.ts";
import { useConsole } from "../support/console.ts";
import { searchPath } from "../support/program.ts";

const setup = useConsole({ listens: true });
const { createToken } = apiOf(setup);
const example = fileURLToPath(new URL("../../docs/examples/moderate.py", import.meta.url));

async function runExample(token: string, ...words: string[]): Promise<{ code: unknown; output: string }> {
  const env = { PATH: searchPath, CASTELLAN: `${setup.desk.origin}/api/v1`, TOKEN: token };
  const child = spawn("python3", [example, ...words], { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output += text.toString()));
  const [code] = await once(child, "close");
  return { code, output };
}

it("the example in Python reads the queue, decides and undoes", async () => {
  const token = await createToken("view, hide");
  await setup.scene.hold();
  expect(await runExample(token, "lantern")).toEqual({ code: 0, output: "" });
  expect(await runExample(token, "airdrop", "--undo")).toEqual({
    code: 0,
    output: "R-1: C-1 hide applied\nC-1: undone by C-2\n",
  });
  expect((await setup.scene.hidden()).map(([, action]) => action)).toContain("unhide");
  const refused = await runExample("castellan_1_no", "airdrop");
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining("401")]);
});

it("the reference page stands next to the document, with scripts of its own origin alone", async () => {
  const { origin } = setup.desk;
  const page = await fetch(`${origin}/api/v1/reference`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("reference/scalar.js")]);
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
  for (const path of ["reference/scalar.js", "reference/reference.js", "openapi.json"])
    expect([path, (await fetch(`${origin}/api/v1/${path}`)).status]).toEqual([path, 200]);
});
