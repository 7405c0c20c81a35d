import { lengthOfForeignStart } from "../links/address.ts";

/** Maximum characters in a label of a host, and maximum labels; DNS allows no longer labels. */
const label = String.raw`[\p{L}\p{N}_-]{1,63}`;
const brokenDot = String.raw`\s?(?:\[\s?(?:\.|dot)\s?\]|\(\s?(?:\.|dot)\s?\)|\{\s?(?:\.|dot)\s?\})\s?`;
const brokenHost = new RegExp(
  String.raw`(?:(https?://\s?)|(?<![\p{L}\p{N}-]))([\p{L}\p{N}](?:${label})?(?:(?:\.|${brokenDot})${label}){1,10})`,
  "giu",
);
const anyBrokenDot = new RegExp(brokenDot, "giu");
const brokenScheme =
  /(?<![a-z0-9])(?:h(?:xx|\*\*|__|tt)p(s?)\s?(?:\[:\]|:)\s?[/\\]{2}|h(?:xx|\*\*|__)p(s?):?[/\\]{2})\s?/gi;
const sign = /[[({]\s?(?:\.|dot)|h(?:xx|\*\*|__)p|\[:\]|:\\\\/i;

/**
 * A text with broken links repaired: people assemble hxxps://a[.]example into an address themselves. A host with broken
 * dots becomes a link even without a scheme.
 */
export function repairLinks(text: string): string {
  if (!sign.test(text)) return text;
  const schemed = text.replace(
    brokenScheme,
    (_, one?: string, other?: string) => `http${one ?? other ?? ""}://`,
  );
  return schemed.replace(brokenHost, (found: string, scheme: string | undefined, host: string) => {
    const mended = host.replace(anyBrokenDot, ".");
    if (mended === host || !/\.\p{L}[\p{L}\p{N}_-]+$/u.test(mended)) return found;
    if (scheme !== undefined) return `${scheme.trim()}${mended}`;
    const start = lengthOfForeignStart(mended);
    return `${mended.slice(0, start)}https://${mended.slice(start)}`;
  });
}
