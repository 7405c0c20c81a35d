/** What runs in the thread that draws. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { drawSvg, fontFamily } from "./draw-svg.ts";
import { runBehind } from "../thread-priority.ts";
import { pictureSize, type Picture } from "./picture.ts";

// What waits for an answer comes first.
runBehind();

const files = createRequire(import.meta.url);
const read = (name: string) => readFileSync(files.resolve(name));

const ready = initWasm(read("@resvg/resvg-wasm/index_bg.wasm"));
/** The machine may have none, and should not decide how pictures look. */
const fontBuffers = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"].map((name) =>
  read(`dejavu-fonts-ttf/ttf/${name}`),
);

/** The picture as a PNG. */
export default async function draw(picture: Picture): Promise<Uint8Array> {
  await ready;
  const font = { fontBuffers, defaultFontFamily: fontFamily, sansSerifFamily: fontFamily };
  const image = new Resvg(drawSvg(picture), { font, fitTo: { mode: "width", value: pictureSize.width } });
  const rendered = image.render();
  try {
    return rendered.asPng();
  } finally {
    rendered.free();
    image.free();
  }
}
