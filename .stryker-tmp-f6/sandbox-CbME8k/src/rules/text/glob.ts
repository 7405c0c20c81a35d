/** Whether a channel id fits a pattern in which `*` stands for any characters, also none. */
// @ts-nocheck

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
