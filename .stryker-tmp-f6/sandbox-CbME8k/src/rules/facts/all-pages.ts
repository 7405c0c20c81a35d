/** A listing read to its end, or until `most` pages; `whole` says which. */
// @ts-nocheck

export async function readAllPages<T>(
  most: number,
  read: (cursor: string | undefined) => Promise<{ items: readonly T[]; next: string | undefined }>,
): Promise<{ items: T[]; whole: boolean }> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < most; page++) {
    const { items: more, next } = await read(cursor);
    items.push(...more);
    if (next === undefined) return { items, whole: true };
    cursor = next;
  }
  return { items, whole: false };
}
