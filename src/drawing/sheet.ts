import type { Theme } from "./picture.ts";

/** The document to draw on, its colors, and functions to add to it. */
export interface Sheet {
  document: SvgDocument;
  colors: Palette;
  add(name: string, attributes: Record<string, string | number>, text?: string): void;
  /** Places a drawing with its upper left corner there. */
  place(element: SvgElement, x: number, y: number): void;
}

/** The parts of a document that drawing needs, because TypeScript knows no browser here. */
export interface SvgDocument {
  createElementNS(namespace: string, name: string): SvgElement;
}

export interface SvgElement {
  textContent: string | null;
  outerHTML: string;
  setAttribute(name: string, value: string): void;
  append(...children: SvgElement[]): void;
}

export function createElement(
  document: SvgDocument,
  name: string,
  attributes: Record<string, string | number>,
  text?: string,
): SvgElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** In units; the picture is 800 units wide. */
export const sizes = {
  width: 800,
  height: 960,
  margin: 28,
  /** For the smallest text: eleven pixels if a phone shows the picture 390 pixels wide. */
  text: 23,
  /** The mean width of one of its letters. */
  letter: 14,
} as const;

interface Palette {
  ground: string;
  raised: string;
  text: string;
  muted: string;
  line: string;
  bar: string;
}

/** Discord's colors, so that a picture does not stand out in a room. */
export const palettes: Record<Theme, Palette> = {
  dark: {
    ground: "#313338",
    raised: "#3c3f46",
    text: "#f2f3f5",
    muted: "#c4c9ce",
    line: "#4a4d55",
    bar: "#7f8cf5",
  },
  light: {
    ground: "#ffffff",
    raised: "#f0f1f3",
    text: "#1e1f22",
    muted: "#4e5058",
    line: "#dcdee1",
    bar: "#4752c4",
  },
};
