import { Client } from "pg";

/** A statement as the driver got it. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** The statements that `work` sends to the database, in order, with those that begin and end transactions. */
export async function recordStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  // The driver's method, put back below; it is never called unbound.
  // oxlint-disable-next-line typescript/unbound-method
  const original = Client.prototype.query;
  const recording = function (this: Client, ...parameters: unknown[]): unknown {
    const [query, values] = parameters;
    if (typeof query === "string")
      statements.push({ text: query, values: Array.isArray(values) ? values : [] });
    return Reflect.apply(original, this, parameters);
  };
  Object.assign(Client.prototype, { query: recording });
  try {
    await work();
  } finally {
    Object.assign(Client.prototype, { query: original });
  }
  return statements;
}
