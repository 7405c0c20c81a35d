// @ts-nocheck
import { constants, createDeflate } from "node:zlib";
import { WebSocket } from "ws";

/** A client's socket, with or without compression. */
export interface Connection {
  send: (payload: unknown) => void;
  close: (code: number, reason: string) => void;
  terminate: () => void;
}

export function createConnection(socket: WebSocket, compress: boolean): Connection {
  return {
    send: compress ? compressedSend(socket) : (payload) => sendIfOpen(socket, JSON.stringify(payload)),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  };
}

function sendIfOpen(socket: WebSocket, data: string | Buffer): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(data);
}

/** `zlib-stream`: one deflate stream per socket, flushed after each payload. */
function compressedSend(socket: WebSocket): Connection["send"] {
  const deflate = createDeflate();
  let chunks: Buffer[] = [];
  deflate.on("data", (chunk: Buffer) => chunks.push(chunk));
  deflate.on("error", () => socket.terminate());
  socket.on("close", () => deflate.close());
  return (payload) => {
    deflate.write(JSON.stringify(payload));
    deflate.flush(constants.Z_SYNC_FLUSH, () => {
      sendIfOpen(socket, Buffer.concat(chunks));
      chunks = [];
    });
  };
}
