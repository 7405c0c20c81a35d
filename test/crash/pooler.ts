/**
 * `.ci/pooler.sh node --import tsx test/crash/pooler.ts`: api, bot and worker reach their database through a pooler in transaction mode.
 * A channel is linked, somebody is banned by command, and the room is told of it.
 */
import { requirePooler } from "../support/services.ts";
import { runBanStory } from "./ban-story.ts";

const write = (line: string) => void process.stdout.write(`${line}\n`);
try {
  await runBanStory({ settings: { DATABASE_URL: requirePooler(), PREPARED_STATEMENTS: "off" }, write });
  write("passed");
} catch (error) {
  write(`${error instanceof Error ? error.message : String(error)}\nfailed`);
  process.exitCode = 1;
}
