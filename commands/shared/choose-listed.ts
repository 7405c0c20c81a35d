/** The known values in "view, hide", each once; undefined if there is none, or anything else is among them. */
export function chooseListed<Value extends string>(
  typed: string,
  known: readonly Value[],
): Value[] | undefined {
  const words = typed
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((word) => word !== "");
  const found = words.flatMap((word) => known.find((one) => one === word) ?? []);
  return found.length === words.length && found.length > 0 ? [...new Set(found)] : undefined;
}
