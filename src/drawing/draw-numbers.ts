import type { Picture } from "./picture.ts";
import { createElement, sizes, type Sheet, type SvgElement } from "./sheet.ts";

const gap = 16;

/** Large numbers at the top. */
export function drawTiles(sheet: Sheet, tiles: Picture["tiles"], top: number): void {
  const { margin, width } = sizes;
  const wide = (width - 2 * margin - gap * (tiles.length - 1)) / Math.max(tiles.length, 1);
  for (const [index, { value, label, note = "" }] of tiles.entries()) {
    const x = margin + index * (wide + gap);
    sheet.add("rect", { x, y: top, width: wide, height: 134, rx: 12, fill: sheet.colors.raised });
    sheet.add("text", { x: x + 14, y: top + 50, "font-size": 36, "font-weight": "bold" }, value);
    sheet.add("text", { x: x + 14, y: top + 86, "font-size": 22 }, label);
    sheet.add("text", { x: x + 14, y: top + 118, "font-size": 22, fill: sheet.colors.muted }, note);
  }
}

/** Names with bars below them, side by side. */
export function drawLists(sheet: Sheet, lists: Picture["lists"], top: number): void {
  const { margin, width, letter } = sizes;
  const wide = (width - 2 * margin - 2 * gap) / 2;
  for (const [index, { title, rows, nothing }] of lists.entries()) {
    const x = margin + index * (wide + 2 * gap);
    sheet.add("text", { x, y: top + 24, "font-weight": "bold" }, title);
    if (rows.length === 0) sheet.add("text", { x, y: top + 70, fill: sheet.colors.muted }, nothing);
    const largest = Math.max(1, ...rows.map(({ count }) => count));
    for (const [place, { name, count }] of rows.entries()) {
      const y = top + 66 + place * 45;
      sheet.place(clipped(sheet, name, wide - 96), x, y - 30);
      sheet.add("text", { x: x + wide, y, "text-anchor": "end" }, count.toLocaleString("en"));
      const length = Math.max(letter / 2, (wide * count) / largest);
      sheet.add("rect", { x, y: y + 9, width: length, height: 8, rx: 4, fill: sheet.colors.bar });
    }
  }
}

/** A name that does not overlap its number, however wide its letters are. */
function clipped({ document }: Sheet, name: string, width: number): SvgElement {
  const frame = createElement(document, "svg", { width, height: 38 });
  frame.append(createElement(document, "text", { y: 30 }, name));
  return frame;
}
