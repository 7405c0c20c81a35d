/** Code of the thread that draws. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { drawSvg, fontFamily } from "./draw-svg.ts";
import { packageFolder } from "../package-folder.ts";
import { runBehind } from "../thread-priority.ts";
import { pictureSize, type Picture } from "./picture.ts";

// The bot's responses take precedence over drawing.
runBehind();

const { resolve } = createRequire(import.meta.url);
const ready = initWasm(readFileSync(resolve("@resvg/resvg-wasm/index_bg.wasm")));
/** The machine may have no fonts, and should not decide how pictures look. */
const fontBuffers = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"].map((name) =>
  readFileSync(join(packageFolder(), "src/drawing/fonts", name)),
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
