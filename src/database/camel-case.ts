/** A row under the names that code uses: `target_fid` becomes `targetFid`. Values stay as they are, jsonb too. */
export type CamelCased<Row> = {
  [Name in keyof Row as Name extends string ? CamelName<Name> : Name]: Row[Name];
};

type CamelName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : Name;

export function camelCased<Row extends object>(row: Row): CamelCased<Row> {
  const entries = Object.entries(row).map(([name, value]) => [
    name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  // The names are made letter by letter as the type makes them.
  return Object.fromEntries(entries) as CamelCased<Row>;
}
