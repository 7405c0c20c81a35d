import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { seconds } from "../clock.ts";
import type { ParsedInputOf } from "../contract/endpoint.ts";
import { describeClaim, describeConsent, liveNameDomain } from "../contract/name-claim.ts";
import type { Transfer, transfers } from "../contract/registry.ts";
import type { Queryable } from "../database/database.ts";
import type { ApiContext } from "./context.ts";
import { usernameProofMerged } from "./domain/hub-event.ts";
import { checkTransfer, isName, type TransferFacts, type TransferRequest } from "./domain/name-transfer.ts";
import { createClaimHasher, isSignedBy, lowerHex, type ClaimHasher, type Hex } from "./signatures.ts";
import { eventPartsOfAll } from "./store/hub-events.ts";
import { toTransfer, type TransferRow } from "./store/transfers.ts";

type TransferInput = ParsedInputOf<typeof transfers.create>;
type ClaimRequest = TransferInput & { owner: Hex };

/** The checked signatures of a request, and the registry's state at that time. */
interface CheckedRequest extends Pick<TransferFacts, "isSigned" | "isSignedForLive" | "consent"> {
  request: ClaimRequest;
  /** The hash of the claim in the registry's domain. */
  claimHash: Uint8Array;
}

export interface RegistryWriter {
  /** Returns the requested transfer, recorded now or before. Throws the registry's codes if it is rejected. */
  transfer(input: TransferInput): Promise<Transfer>;
}

/** Checks name transfers and records them, one at a time. */
export function createRegistryWriter(context: ApiContext): RegistryWriter {
  const { database, registry } = context;
  const hashForLive = createClaimHasher(liveNameDomain);
  let lastTurn: Promise<unknown> = Promise.resolve();

  const check = ({ request, ...signatures }: CheckedRequest, seen: SeenRegistry) =>
    checkTransfer(request, { ...signatures, ...seen }, seconds(context.clock), context.settings);

  async function transfer(input: TransferInput): Promise<Transfer> {
    const request = { ...input, owner: lowerHex(input.owner) };
    const { checked, seen } = await checkRequest(context, request, hashForLive);
    // Most rejections need no turn.
    const existing = check(checked, seen);
    if (existing) return existing;
    const serverSignature = registry.sign(checked.claimHash);
    const recording = lastTurn.then(() => record(checked, serverSignature));
    lastTurn = recording.catch(() => {});
    return recording;
  }

  async function record(checked: CheckedRequest, serverSignature: Hex): Promise<Transfer> {
    for (;;) {
      const seen = await readRegistry(database.query, checked.request);
      const existing = check(checked, seen);
      if (existing) return existing;
      const transfer = { ...toRecord(checked.request), server_signature: serverSignature };
      const id = await appendTransfer(context, transfer, seen);
      if (id !== undefined) return { id, ...transfer };
      // Another process has written in between.
    }
  }

  return { transfer };
}

function toRecord({ name: username, owner, from, to, timestamp, signature }: ClaimRequest) {
  return { timestamp, username, owner, from, to, user_signature: lowerHex(signature) };
}

/** Reads the registry's state for a request, and checks the signatures that matter in that state. */
async function checkRequest(
  { database, registry }: ApiContext,
  request: ClaimRequest,
  hashForLive: ClaimHasher,
): Promise<{ checked: CheckedRequest; seen: SeenRegistry }> {
  const { domain, hash } = registry;
  const { owner, signature, from_signature: consent } = request;
  const claimHash = hash(describeClaim(domain, request));
  const reading = readRegistry(database.query, request);
  // Checking a signature blocks this thread, so the query is sent first.
  const checking = setImmediate().then(() => isSignedBy(owner, claimHash, signature));
  const [seen, isSigned] = await Promise.all([reading, checking]);
  const isLive = domain.verifyingContract === liveNameDomain.verifyingContract;
  const { custodyAddress, giverAddress } = seen;
  // Signatures are by far the most expensive, so only those that can change the result are checked.
  const hasConsent =
    isSigned &&
    request.fid !== request.from &&
    consent !== undefined &&
    giverAddress !== undefined &&
    isSignedBy(giverAddress, hash(describeConsent(domain, request)), consent);
  const mayBeForLive = !isSigned && !isLive && custodyAddress === owner;
  const isSignedForLive =
    mayBeForLive && isSignedBy(owner, hashForLive(describeClaim(liveNameDomain, request)), signature);
  return {
    checked: {
      request,
      claimHash,
      isSigned,
      isSignedForLive,
      consent: consent === undefined ? "absent" : hasConsent ? "signed" : "invalid",
    },
    seen,
  };
}

/** The registry's state of a request's name and parties. */
interface SeenRegistry extends Pick<TransferFacts, "custodyAddress" | "claimed" | "latest" | "nameOfTarget"> {
  /** The stream's last id; every write changes it. */
  head: number;
  /** The custody address of the fid that gives the name, lower-case. */
  giverAddress: `0x${string}` | undefined;
}

/** Everything that a request is checked against, in one statement, so that a registration takes little longer than its signatures. */
async function readRegistry(db: Queryable, request: TransferRequest): Promise<SeenRegistry> {
  const { fid, from, to, owner, timestamp } = request;
  // An invalid name is rejected anyway, and may be text that the database does not accept.
  const name = isName(request.name) ? request.name : "";
  const { rows } = await sql<{
    head: number;
    claimed: TransferRow | null;
    latest: TransferRow | null;
    name_of_target: string | null;
    custody: string | null;
    giver: `0x${string}` | null;
  }>`
    select last_id as head,
      (select to_jsonb(transfers) from network.transfers
         where owner = ${owner} and username = ${name} and timestamp = ${timestamp}) as claimed,
      (select to_jsonb(transfers) from network.transfers
         where username = ${name} order by id desc limit 1) as latest,
      (select name from network.names where fid = ${to} and name <> ${name}) as name_of_target,
      (select lower(custody_address) from network.accounts where fid = ${fid}) as custody,
      (select lower(custody_address) from network.accounts where fid = ${from}) as giver
    from network.stream_heads where stream = 'transfers'
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the stream of transfers has a head");
  return {
    head: row.head,
    custodyAddress: row.custody ?? undefined,
    giverAddress: row.giver ?? undefined,
    claimed: row.claimed ? toTransfer(row.claimed) : undefined,
    latest: row.latest ? toTransfer(row.latest) : undefined,
    nameOfTarget: row.name_of_target ?? undefined,
  };
}

/**
 * Appends a transfer and its event and updates the name, in one statement; returns the transfer's id. Returns
 * undefined, and writes nothing, if another transfer was appended since `seen` was read. Writers lock both streams, so
 * ids become visible in order.
 */
async function appendTransfer(
  { database, clock, settings }: ApiContext,
  transfer: Omit<Transfer, "id">,
  { head, latest }: SeenRegistry,
): Promise<number | undefined> {
  const { timestamp, username, owner, from, to, user_signature, server_signature } = transfer;
  const event = usernameProofMerged(transfer, latest?.to === 0 ? undefined : latest);
  const isAppended = sql`exists (select from appended)`;
  const name =
    to === 0
      ? sql`delete from network.names where name = ${username} and ${isAppended}`
      : sql`
        insert into network.names (name, fid, transfer_id) select ${username}, ${to}::bigint, id from appended
        on conflict (name) do update set fid = excluded.fid, transfer_id = excluded.transfer_id`;
  const { rows } = await sql<{ id: number }>`
    with head as (
      update network.stream_heads set last_id = last_id + 1
      where stream = 'transfers' and last_id = ${head}
      returning last_id
    ),
    appended as (
      insert into network.transfers
        (id, timestamp, username, owner, from_fid, to_fid, user_signature, server_signature)
      select last_id, ${timestamp}::bigint, ${username}, ${owner}, ${from}::bigint, ${to}::bigint, ${user_signature},
        ${server_signature}
      from head
      returning id
    ),
    named as (${name}),
    ${eventPartsOfAll(seconds(clock), [event], settings.hub, isAppended)}
    select id from appended
  `.execute(database.query);
  return rows[0]?.id;
}
