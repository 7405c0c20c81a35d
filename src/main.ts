#!/usr/bin/env node

// Everything else is loaded after this check, because older versions of Node fail to load it with an error of their own.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`castellan: needs Node 20.19 or later; this is ${process.version}.\n`);
  process.exit(1);
}
const { runMain } = await import("./cli/run-main.ts");
await runMain(process.argv.slice(2));
