import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { drawLists, drawTiles } from "./draw-numbers.ts";
import { createElement, palettes, sizes, type Sheet, type SvgDocument } from "./sheet.ts";
import type { Columns, Picture } from "./picture.ts";

export const fontFamily = "DejaVu Sans";

/** The picture as SVG. Texts become text nodes of a document, so they cannot be markup. */
export function drawSvg(picture: Picture): string {
  const { document }: { document: SvgDocument } = parseHTML("<!doctype html><html><body></body></html>");
  const colors = palettes[picture.theme];
  const { width, height, margin } = sizes;
  const root = createElement(document, "svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    "font-family": fontFamily,
    "font-size": sizes.text,
    fill: colors.text,
  });
  const sheet: Sheet = {
    document,
    colors,
    add: (name, attributes, text) => root.append(createElement(document, name, attributes, text)),
    place(element, x, y) {
      element.setAttribute("x", String(x));
      element.setAttribute("y", String(y));
      root.append(element);
    },
  };
  sheet.add("rect", { width, height, fill: colors.ground });
  sheet.add("text", { x: margin, y: 56, "font-size": 34, "font-weight": "bold" }, picture.title);
  sheet.add("text", { x: margin, y: 94, fill: colors.muted }, picture.subtitle);
  drawTiles(sheet, picture.tiles, 122);
  drawColumns(sheet, picture, 268);
  drawLists(sheet, picture.lists, 670);
  return root.outerHTML;
}

function drawColumns(sheet: Sheet, { columns, theme }: Picture, top: number): void {
  const { margin, width } = sizes;
  sheet.add("text", { x: margin, y: top + 24, "font-weight": "bold" }, columns.title);
  const below = drawLegend(sheet, { columns, theme }, top + 62);
  const colors = columns.series.map(({ color }) => color[theme]);
  const names = columns.series.map(({ name }) => name);
  const values = columns.values.map((value) => ({ ...value, until: value.from + columns.step }));
  const plot = Plot.plot({
    document: sheet.document,
    width: width - 2 * margin,
    height: 660 - below,
    marginLeft: 64,
    marginRight: 8,
    marginTop: 16,
    marginBottom: 40,
    style: { fontSize: `${sizes.text}px`, fontFamily, color: sheet.colors.text },
    x: { type: "utc", domain: [columns.from, columns.until] },
    y: { domain: [0, highest(columns)], nice: true },
    color: { domain: names, range: colors },
    marks: [
      Plot.gridY({ ticks: 4, stroke: sheet.colors.line, strokeOpacity: 1 }),
      Plot.axisY({ ticks: 4, tickSize: 0, label: null, tickFormat: formatWhole }),
      Plot.axisX({ ticks: 4, tickSize: 6, label: null, tickFormat: (at: Date) => formatDay(at) }),
      Plot.rectY(
        values,
        Plot.stackY(
          { order: names },
          { x1: "from", x2: "until", y: "count", fill: "series", insetLeft: 1, insetRight: 1 },
        ),
      ),
      Plot.ruleY([0], { stroke: sheet.colors.muted }),
    ],
  });
  sheet.place(plot, margin, below);
}

/** Returns the y coordinate of its end. */
function drawLegend(
  sheet: Sheet,
  { columns, theme }: Pick<Picture, "columns" | "theme">,
  top: number,
): number {
  let [x, y] = [sizes.margin, top];
  for (const { name, color } of columns.series) {
    const wide = 44 + name.length * sizes.letter;
    if (x + wide > sizes.width - sizes.margin) [x, y] = [sizes.margin, y + 34];
    sheet.add("rect", { x, y: y - 18, width: 20, height: 20, rx: 4, fill: color[theme] });
    sheet.add("text", { x: x + 28, y, fill: sheet.colors.muted }, name);
    x += wide + 12;
  }
  return y + 14;
}

function highest({ values }: Columns): number {
  const heights = new Map<number, number>();
  for (const { from, count } of values) heights.set(from, (heights.get(from) ?? 0) + count);
  // At least four, for four whole steps.
  return Math.max(4, ...heights.values());
}

function formatWhole(value: number): string {
  return Number.isInteger(value) ? shortCount.format(value) : "";
}

const shortCount = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

const days = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const formatDay = (at: Date) => days.format(at);
