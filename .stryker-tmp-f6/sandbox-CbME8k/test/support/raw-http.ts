// @ts-nocheck
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Writes bytes to a port of loopback as they are, pausing between the pieces (milliseconds), and gives back all that
 * comes until the other side ends; `endsAfterwards` says that ours ends first.
 */
export async function exchangeRaw(
  port: number,
  pieces: string[],
  pause = 0,
  endsAfterwards = false,
): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  let received = "";
  socket.on("data", (chunk: string) => {
    received += chunk;
  });
  // A reset after the answer is an end like any other.
  socket.on("error", () => {});
  await once(socket, "connect");
  for (const piece of pieces) {
    socket.write(piece, "latin1");
    if (pause > 0) await sleep(pause);
  }
  if (endsAfterwards) socket.end();
  if (!socket.closed) await once(socket, "close");
  return received;
}
