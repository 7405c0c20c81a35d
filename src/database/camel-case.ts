/** A row with the names that code uses: `target_fid` becomes `targetFid`. Values, including jsonb, do not change. */
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
  // Converts each name the same way as the type.
  return Object.fromEntries(entries) as CamelCased<Row>;
}
