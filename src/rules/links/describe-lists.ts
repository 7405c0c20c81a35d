import { describeTime, escapeText } from "../../text/message-text.ts";
import { count } from "../../text/amount.ts";
import type { ListRow } from "./stored-lists.ts";

/** A list's state, for people who can ask the operator to fix it. */
export function describeList({
  name,
  revision,
  hosts,
  allowed_hosts,
  skipped,
  left_out,
  succeeded_at_ms,
  attempted_at_ms,
  error,
}: ListRow): string {
  const failing = error === null ? undefined : `**cannot be read**: it ${escapeText(error, 150)}`;
  if (revision === 0 || succeeded_at_ms === null) {
    return `${name}: ${failing ?? "not read yet"}${failing && attempted_at_ms !== null ? ` (${describeTime(attempted_at_ms / 1000)})` : ""}`;
  }
  const holds = [
    ...(hosts > 0 ? [`${count(hosts)} bad`] : []),
    ...(allowed_hosts > 0 ? [`${count(allowed_hosts)} allowed`] : []),
    ...(skipped > 0 ? [`${count(skipped)} lines not understood`] : []),
    ...(left_out.length > 0 ? [`left out: ${describeLeftOut(left_out)}`] : []),
  ].join(", ");
  const age = describeTime(succeeded_at_ms / 1000);
  return failing
    ? `${name}: ${failing}. In use is its content from ${age}: ${holds}`
    : `${name}: ${holds}, read ${age}`;
}

/** At most this many are named. */
const maxNamed = 3;

/** Hosts on a bad list that everybody links to. */
export function describeLeftOut(hosts: readonly string[]): string {
  const named = hosts.slice(0, maxNamed).join(" and ");
  const rest = hosts.length - maxNamed;
  return `${named}${rest > 0 ? ` and ${count(rest)} more` : ""} (everybody links there)`;
}
