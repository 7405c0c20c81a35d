// @ts-nocheck
import type { Queryable } from "../../database/database.ts";
import type { ApiContext } from "../context.ts";

/** An answer that many ask for and few things change: kept made, as HTTP sends it. */
export interface KeptAnswer {
  bytes: Buffer;
  /** Tells versions apart (an ETag without its quotes), where the same question may be asked again. */
  tag?: string;
}

/** What a network keeps of one kind, made when it is first asked for. */
export function keptWith<Keeper>(
  context: ApiContext,
  keepers: WeakMap<ApiContext, Keeper>,
  create: (db: Queryable) => Keeper,
): Keeper {
  const keeper = keepers.get(context) ?? create(context.database.query);
  keepers.set(context, keeper);
  return keeper;
}
