import type { NamedLinkList } from "../../bot-context.ts";
import type { Database } from "../../database/database.ts";
import { describeLeftOut } from "../../rules/links/describe-lists.ts";
import { readListRows } from "../../rules/links/stored-lists.ts";
import { count } from "../../text/amount.ts";
import { ok, unknown, wrong, type Finding } from "./finding.ts";
import { showMoment } from "../../text/since.ts";

/** Whether the operator's lists of bad links were read recently. Doctor does not fetch them. */
export async function checkLinkLists(
  database: Pick<Database, "query">,
  named: readonly NamedLinkList[],
): Promise<Finding[]> {
  const rows = await readListRows(database.query);
  return named.map(({ name, url }) => {
    const part = `Link list ${name}`;
    const row = rows.find((each) => each.name === name && each.url === url);
    if (!row || (row.succeeded_at_ms === null && row.error === null)) {
      return unknown(part, "has not been read yet.", "Start Castellan: it reads it within a minute.");
    }
    const { hosts, allowed_hosts, left_out, succeeded_at_ms, error } = row;
    const without = left_out.length > 0 ? `, without ${describeLeftOut(left_out)}` : "";
    const holds = `${count(hosts + allowed_hosts)} addresses${without}`;
    const since = succeeded_at_ms === null ? "" : showMoment(succeeded_at_ms);
    if (error === null) return ok(part, `${holds}, as of ${since}`);
    const meanwhile = succeeded_at_ms === null ? "" : ` Castellan uses its content of ${since}: ${holds}.`;
    return wrong(part, `${error}.${meanwhile}`, `Check ${url} in LINK_LISTS.`);
  });
}
