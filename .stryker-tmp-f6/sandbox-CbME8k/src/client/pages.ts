// @ts-nocheck
import type { Page, PageInput } from "../contract/endpoint.ts";

/** Reads a listing to its end, page by page: `for await (const { members } of pages(network.channelMembers.list, {…}))`. */
export async function* pages<Input extends PageInput, Result>(
  call: (input: Input) => Promise<Page<Result>>,
  input: Input,
): AsyncGenerator<Result, void, undefined> {
  let cursor = input.cursor;
  for (;;) {
    const page = await call(cursor ? { ...input, cursor } : input);
    yield page.result;
    const next = page.next?.cursor;
    // A cursor that repeats itself would read the same page for ever.
    if (!next || next === cursor) return;
    cursor = next;
  }
}
