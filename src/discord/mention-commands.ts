/**
 * Turns names of commands in our own texts, "/feed add" or "</status>", into clickable mentions if Discord's ids are
 * known. Text in code style is unchanged, and slashes in strangers' texts are escaped. A command of one word is
 * mentioned only if it is marked, because a channel may have its name.
 */
export function mentionCommands(text: string, ids: ReadonlyMap<string, string> | undefined): string {
  return text.replace(codeOrCommand, (whole, marked?: string, name?: string, sub?: string) => {
    const path = marked ?? (name === undefined ? undefined : `${name} ${sub}`);
    if (path === undefined) return whole;
    const id = ids?.get(path);
    if (id !== undefined) return `</${path}:${id}>`;
    return marked === undefined ? whole : `/${marked}`;
  });
}

const codeOrCommand =
  /```[\s\S]*?```|`[^`\n]+`|\\[\s\S]|<\/([a-z]+(?: [a-z]+)?)>|(?<![\w/\\])\/([a-z]+) ([a-z]+)\b/g;
