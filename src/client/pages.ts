import type { Page, PageInput } from "../contract/endpoint.ts";

/** Reads a listing to its end, page by page: `for await (const { members } of pages(network.channelMembers.list, {…}))`. */
export async function* pages<Input extends PageInput, Result>(
  call: (input: Input) => Promise<Page<Result>>,
  input: Input,
): AsyncGenerator<Result, void, undefined> {
  let cursor = input.cursor;
  const met = new Set<string>();
  for (;;) {
    const page = await call(cursor ? { ...input, cursor } : input);
    yield page.result;
    const next = page.next?.cursor;
    if (cursor) met.add(cursor);
    // A cursor that comes again would read the same pages for ever.
    if (!next || met.has(next)) return;
    cursor = next;
  }
}
