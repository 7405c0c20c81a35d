/** Whether a text matches a pattern in which `*` stands for any characters, or none. */
export function fitsGlob(pattern: string, text: string): boolean {
  const [start = "", ...rest] = pattern.split("*");
  const end = rest.pop();
  if (end === undefined) return text === pattern;
  if (!text.startsWith(start)) return false;
  let position = start.length;
  for (const part of rest) {
    const found = text.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return text.length - end.length >= position && text.endsWith(end);
}

/** Whether a channel is among these patterns: without patterns every channel is. */
export function coversChannel(channels: readonly string[] | null, channelId: string): boolean {
  return channels?.some((pattern) => fitsGlob(pattern, channelId)) ?? true;
}
