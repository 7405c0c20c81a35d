import { cutText } from "../text/message-text.ts";

/** What a picture of numbers shows: data alone, for it goes to a thread. */
export interface Picture {
  theme: Theme;
  title: string;
  subtitle: string;
  /** At most four, side by side. */
  tiles: { value: string; label: string; note?: string }[];
  columns: Columns;
  /** At most two, side by side. */
  lists: { title: string; rows: { name: string; count: number }[]; nothing: string }[];
}

export const themes = ["dark", "light"] as const;
export type Theme = (typeof themes)[number];

/** Stacked columns over time. */
export interface Columns {
  title: string;
  /** UNIX milliseconds. */
  from: number;
  until: number;
  /** Each column's width, in milliseconds. */
  step: number;
  /** From the foot of the columns up; colors by theme. */
  series: { name: string; color: Record<Theme, string> }[];
  values: { from: number; series: string; count: number }[];
}

/** Of the finished PNG, in pixels. A phone shows it at about a third of that. */
export const pictureSize = { width: 1200, height: 1440 } as const;

/**
 * A name as a picture can hold it: without what turns the direction of the text around it, is no character, or shows nothing,
 * and within a number of characters.
 */
export function fitName(name: string, most: number): string {
  const shown = name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu, "")
    // More marks on one letter than any language has reach into other lines.
    .replace(/(\p{M}{2})\p{M}+/gu, "$1")
    .replace(/\s+/gu, " ")
    .trim();
  return shown === "" ? "(no name)" : cutText(shown, most);
}
