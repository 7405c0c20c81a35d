/** Names in a message, as far as they are not numbers. */
const named = /\b(channel|cast|account) (?!url\b)[\w-]+/g;

/** A key shared by mistakes that differ only in their place and numbers, and the place with a star for each number. */
export function likenessOf({ path, message }: { path: string; message: string }): {
  key: string;
  pattern: string;
} {
  const pattern = path.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  const words = message.replaceAll(/0x[0-9a-f]+|\d[\d,]*/gi, "#").replaceAll(named, "$1 #");
  return { key: `${pattern} ${words}`, pattern };
}
