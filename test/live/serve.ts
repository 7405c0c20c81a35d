/**
 * The live network as a process of its own, until a signal ends it:
 *
 *     node --import tsx test/live/serve.ts
 *
 * Its first line says, as JSON, where the services answer, and the controls of `live-controls.ts`.
 */
import { usualCount } from "./live-channels.ts";
import { serveControls } from "./live-controls.ts";
import { startLiveNetwork } from "./live-network.ts";

const network = await startLiveNetwork({ channels: usualCount });
const controls = await serveControls(network);
// Blocks come all the time, whether anything happens or not.
setInterval(network.tick, 1_000);
// Whoever started it is gone.
process.on("disconnect", () => process.exit());

const { client, registry, hub } = network;
const addresses = { client: client.url, registry: registry.url, hub: hub.url, controls: controls.url };
process.stdout.write(`${JSON.stringify(addresses)}\n`);
