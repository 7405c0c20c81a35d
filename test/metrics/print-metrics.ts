/** Prints our metrics as a scrape has them, for `promtool check metrics`. Those of Node's client have names of their own. */
import { scrapeEverything } from "../support/every-metric.ts";

const { text } = await scrapeEverything();
const own = text.split("\n").filter((line) => /^(# \w+ )?castellan_/.test(line));
process.stdout.write(`${own.join("\n")}\n`);
