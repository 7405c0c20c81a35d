import { inflateSync } from "node:zlib";

export interface Png {
  width: number;
  height: number;
  /** "#rrggbb" */
  pixel(x: number, y: number): string;
  pixels: Buffer;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads a PNG of eight bits a channel with transparency, not interlaced. Throws where it is none. */
export function readPng(bytes: Uint8Array): Png {
  const file = Buffer.from(bytes);
  if (!file.subarray(0, 8).equals(signature)) throw new Error("no PNG");
  const parts: Buffer[] = [];
  let head: Buffer | undefined;
  let last = "";
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    last = file.toString("latin1", at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + file.readUInt32BE(at));
    if (last === "IHDR") head = data;
    if (last === "IDAT") parts.push(data);
  }
  if (!head || last !== "IEND") throw new Error("a PNG that is not whole");
  if (head[8] !== 8 || head[9] !== 6 || head[12] !== 0) throw new Error("a PNG of another kind");
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const pixels = unfilter(inflateSync(Buffer.concat(parts)), width * 4, height);
  const pixel = (x: number, y: number) => {
    const start = (y * width + x) * 4;
    return `#${pixels.toString("hex", start, start + 3)}`;
  };
  return { width, height, pixel, pixels };
}

/** Each row says how it is written as a difference from its neighbours. */
function unfilter(raw: Buffer, rowLength: number, height: number): Buffer {
  const out = Buffer.alloc(rowLength * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (rowLength + 1)] ?? 0;
    for (let at = 0; at < rowLength; at++) {
      const place = row * rowLength + at;
      const left = at < 4 ? 0 : (out[place - 4] ?? 0);
      const up = row === 0 ? 0 : (out[place - rowLength] ?? 0);
      const corner = at < 4 || row === 0 ? 0 : (out[place - rowLength - 4] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      out[place] = ((raw[row * (rowLength + 1) + 1 + at] ?? 0) + guess) & 0xff;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
