import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  ValueNode,
  type Compilable,
  type CompiledQuery,
  type Expression,
  type RawBuilder,
} from "kysely";
import type { Queryable } from "./database.ts";
import type { Tables } from "./tables/index.ts";

/** Stands in a statement for a value that is known when it is sent. */
class Placeholder<Value> implements Expression<Value> {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  get expressionType(): Value | undefined {
    return undefined;
  }

  toOperationNode(): ValueNode {
    return ValueNode.create(this);
  }
}

/** What stands for these values; what may be left out of them, may be here too. */
export type Placeholders<Values> = {
  [Name in keyof Values]: Expression<Exclude<Values[Name], undefined>> | Extract<Values[Name], undefined>;
};

/** Builds statements and sends none. */
const builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** A statement with the values that it is sent with. */
interface Sent<Row> extends CompiledQuery<Row> {
  isPointRead: boolean;
}

export function isPointRead(query: CompiledQuery): boolean {
  return "isPointRead" in query && query.isPointRead === true;
}

type Build<Values, Row> = (
  db: Queryable,
  placeholders: Placeholders<Values>,
) => Compilable<Row> | RawBuilder<Row>;
type Send<Values, Row> = (db: Queryable, values: Values) => Promise<Row[]>;

/**
 * A statement that is built once, and again for each set of values that are left out: to build and compile it takes Kysely
 * longer than to send it. Gives its rows.
 */
export function compileOnce<Values extends object, Row>(build: Build<Values, Row>): Send<Values, Row> {
  return compileFor(build, false);
}

/**
 * The same of a few rows that are found by a key, without waiting for a lock: outside transactions many of these share a
 * connection to a server (shared-connections.ts).
 */
export function pointRead<Values extends object, Row>(build: Build<Values, Row>): Send<Values, Row> {
  return compileFor(build, true);
}

function compileFor<Values extends object, Row>(
  build: Build<Values, Row>,
  isPointRead: boolean,
): Send<Values, Row> {
  const compiled = new Map<string, CompiledQuery<Row>>();

  function compile(values: Values): CompiledQuery<Row> {
    const given = Object.keys(values).filter((name) => valueOf(values, name) !== undefined);
    const placeholders = Object.fromEntries(given.map((name) => [name, new Placeholder(name)]));
    // The names are those of the values, and what stands for a value can stand for any.
    return build(builder, placeholders as Placeholders<Values>).compile(builder);
  }

  return async (db, values) => {
    const shape = shapeOf(values);
    let known = compiled.get(shape);
    if (!known) compiled.set(shape, (known = compile(values)));
    const { query, queryId, sql } = known;
    const parameters = known.parameters.map((each) =>
      each instanceof Placeholder ? valueOf(values, each.name) : each,
    );
    const sent: Sent<Row> = { query, queryId, sql, parameters, isPointRead };
    return (await db.executeQuery<Row>(sent)).rows;
  };
}

/** The names of the values that are not left out. */
function shapeOf(values: object): string {
  let shape = "";
  for (const name in values) if (valueOf(values, name) !== undefined) shape += `${name} `;
  return shape;
}

function valueOf(values: object, name: string): unknown {
  // Whatever an object has can be read by its name.
  return (values as Record<string, unknown>)[name];
}
