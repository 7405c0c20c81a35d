/** The address as a link that may be followed, or undefined: nothing but the web is linked. */
// @ts-nocheck

export function safeLink(text) {
  if (!text || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
