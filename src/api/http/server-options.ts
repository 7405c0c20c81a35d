import type { Readable } from "node:stream";
import type { SourceLimit } from "../../contract/endpoint.ts";
import type { Log } from "../../log.ts";
import type { Api } from "../create-api.ts";
import type { OperatorGuard } from "./guard-operator.ts";

export interface ServerOptions {
  api: Pick<Api, "callText"> & Partial<Pick<Api, "callKept">>;
  /** The fid that an Authorization header proves; throws `invalid_auth_token`. */
  authenticate: (header: string | undefined) => Promise<number>;
  log: Log;
  /** Until it says so, every call is answered 503. */
  isReady: () => boolean;
  /** One sentence for each part of this process that does not work; nothing is looked at without it. */
  findTrouble?: (forReadiness: boolean) => Promise<string[]>;
  /** Without it there are no operator routes. */
  operator?: OperatorGuard | undefined;
  /** Begins a backup of this instance, a gzipped tar archive; absent where its data is on a database server. */
  backUp?: (() => Promise<Readable>) | undefined;
  /** Calls that one source address may make in so many seconds; unlimited when absent. */
  sourceLimit?: SourceLimit;
  /** Addresses or networks of proxies, whose X-Forwarded-For is believed. */
  trustedProxies?: readonly string[] | undefined;
}
