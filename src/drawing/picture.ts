import { cutText } from "../text/message-text.ts";

/** The content of a picture of numbers; only data, because it is sent to a thread. */
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
  /** From the bottom of the columns up; colors by theme. */
  series: { name: string; color: Record<Theme, string> }[];
  values: { from: number; series: string; count: number }[];
}

/** Size of the PNG, in pixels. A phone shows it at about a third of that. */
export const pictureSize = { width: 1200, height: 1440 } as const;

/**
 * A name that a picture can show: without invisible characters, invalid ones, or ones that change the direction of the
 * surrounding text, and of limited length.
 */
export function fitName(name: string, most: number): string {
  const shown = name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu, "")
    // More combining marks on a letter than any language uses would reach into other lines.
    .replace(/(\p{M}{2})\p{M}+/gu, "$1")
    .replace(/\s+/gu, " ")
    .trim();
  return shown === "" ? "(no name)" : cutText(shown, most);
}
