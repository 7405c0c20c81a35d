/** Whether a channel id matches a pattern in which `*` stands for any characters, or none. */
export function fitsGlob(pattern: string, channelId: string): boolean {
  const [start = "", ...rest] = pattern.split("*");
  const end = rest.pop();
  if (end === undefined) return channelId === pattern;
  if (!channelId.startsWith(start)) return false;
  let position = start.length;
  for (const part of rest) {
    const found = channelId.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return channelId.length - end.length >= position && channelId.endsWith(end);
}

/** Whether a rule applies in a channel: without patterns it applies in all. */
export function coversChannel(channels: readonly string[] | null, channelId: string): boolean {
  return channels?.some((pattern) => fitsGlob(pattern, channelId)) ?? true;
}
