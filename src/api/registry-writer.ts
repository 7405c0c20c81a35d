import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { seconds } from "../clock.ts";
import type { ParsedInputOf } from "../contract/endpoint.ts";
import { describeClaim, describeConsent, liveNameDomain } from "../contract/name-claim.ts";
import type { Transfer, transfers } from "../contract/registry.ts";
import type { Queryable } from "../database/database.ts";
import type { ApiContext } from "./context.ts";
import { usernameProofMerged, type HubEventDraft } from "./domain/hub-event.ts";
import { decideTransfer, isName, type TransferFacts, type TransferRequest } from "./domain/name-transfer.ts";
import { createClaimHasher, isSignedBy, lowerHex, type ClaimHasher, type Hex } from "./signatures.ts";
import { draftRows, eventParts } from "./store/hub-events.ts";
import { toTransfer, type TransferRow } from "./store/transfers.ts";

type TransferInput = ParsedInputOf<typeof transfers.create>;
type ClaimRequest = TransferInput & { owner: Hex };

/** Everything that a request is decided by, as it was when it was read. */
interface SeenFacts extends TransferFacts, SeenRegistry {
  /** The hash of the claim in the registry's domain. */
  claimHash: Uint8Array;
}

export interface RegistryWriter {
  /** The transfer that was asked for: recorded now, or before. Throws with the registry's codes where it is refused. */
  transfer(input: TransferInput): Promise<Transfer>;
}

/** Decides about transfers of names and records them, one after the other in this process. */
export function createRegistryWriter(context: ApiContext): RegistryWriter {
  const { database, registry } = context;
  const hashForLive = createClaimHasher(liveNameDomain);
  // Registrations that ran together would each find that another came before it was recorded, and begin anew.
  const mutex = createMutex();
  /** The last transfer that this process recorded. */
  let lastRecorded = 0;

  const decide = (request: ClaimRequest, facts: TransferFacts) =>
    decideTransfer(request, facts, seconds(context.clock), context.settings);

  /** Writes what was decided; decides anew while others have written since. */
  async function record(request: ClaimRequest, first: SeenFacts): Promise<Transfer> {
    let facts = first;
    let isOutdated = facts.head < lastRecorded;
    let signature: Hex | undefined;
    while (true) {
      if (isOutdated) {
        facts = { ...facts, ...(await readRegistry(database.query, request)) };
        const existing = decide(request, facts);
        if (existing) return existing;
      }
      signature ??= registry.sign(facts.claimHash);
      const { name: username, owner, from, to, timestamp } = request;
      const signatures = { user_signature: lowerHex(request.signature), server_signature: signature };
      const transfer = { timestamp, username, owner, from, to, ...signatures };
      const replaced = facts.latest?.to === 0 ? undefined : facts.latest;
      const event = usernameProofMerged(transfer, replaced);
      const decided = { transfer, event, head: facts.head };
      const recorded = await appendTransfer(database.query, seconds(context.clock), decided);
      if (recorded) {
        lastRecorded = recorded.id;
        return recorded;
      }
      isOutdated = true;
    }
  }

  return {
    async transfer(input) {
      const request = { ...input, owner: lowerHex(input.owner) };
      const facts = await gatherFacts(context, request, hashForLive);
      return decide(request, facts) ?? mutex(() => record(request, facts));
    },
  };
}

/** What the registry has of a request, and whether those who must have signed it have. */
async function gatherFacts(
  { database, registry }: ApiContext,
  request: ClaimRequest,
  hashForLive: ClaimHasher,
): Promise<SeenFacts> {
  const { domain, hash } = registry;
  const { owner, signature, from_signature: consent } = request;
  const claimHash = hash(describeClaim(domain, request));
  const reading = readRegistry(database.query, request);
  // Checking a signature keeps this thread busy: what is asked of the database leaves it before.
  const checking = setImmediate().then(() => isSignedBy(owner, claimHash, signature));
  const [seen, isSigned] = await Promise.all([reading, checking]);
  const isLive = domain.verifyingContract === liveNameDomain.verifyingContract;
  const { custodyAddress, giverAddress } = seen;
  // Signatures cost more than everything else: none is checked that nothing depends on any more.
  const hasConsent =
    isSigned &&
    request.fid !== request.from &&
    consent !== undefined &&
    giverAddress !== undefined &&
    isSignedBy(giverAddress, hash(describeConsent(domain, request)), consent);
  const mayBeForLive = !isSigned && !isLive && custodyAddress === owner;
  return {
    ...seen,
    claimHash,
    isSigned,
    isSignedForLive:
      mayBeForLive && isSignedBy(owner, hashForLive(describeClaim(liveNameDomain, request)), signature),
    consent: consent === undefined ? "absent" : hasConsent ? "signed" : "invalid",
  };
}

/** What the registry knows of a request's name and parties. */
interface SeenRegistry extends Pick<TransferFacts, "custodyAddress" | "claimed" | "latest" | "nameOfTarget"> {
  /** The stream's last id: whoever writes next changes that. */
  head: number;
  /** The custody address of the fid that gives the name, lower-case. */
  giverAddress: `0x${string}` | undefined;
}

/** In one statement, so that a registration takes little longer than its signatures do. */
async function readRegistry(db: Queryable, request: TransferRequest): Promise<SeenRegistry> {
  const { fid, from, to, owner, timestamp } = request;
  // What is not a name is refused whatever is registered, and may be text that the database does not take.
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

/** A decided transfer, with the event that tells of it. */
interface DecidedTransfer {
  transfer: Omit<Transfer, "id">;
  event: HubEventDraft;
  /** The stream's last id when it was decided. */
  head: number;
}

/**
 * Appends a transfer and its event and lets the name follow, in one statement that does nothing, and gives nothing, when
 * another transfer was written since this one was decided. Ids become visible in order: who writes holds both streams.
 */
async function appendTransfer(
  db: Queryable,
  now: number,
  { transfer, event, head }: DecidedTransfer,
): Promise<Transfer | undefined> {
  const { timestamp, username, owner, from, to, user_signature, server_signature } = transfer;
  const { rows } = await sql<{ id: number }>`
    with head as (
      update network.stream_heads set last_id = last_id + 1
      where stream = 'transfers' and last_id = ${head}
      returning last_id
    ),
    appended as (
      insert into network.transfers
        (id, timestamp, username, owner, from_fid, to_fid, user_signature, server_signature)
      select last_id, ${timestamp}, ${username}, ${owner}, ${from}, ${to}, ${user_signature}, ${server_signature}
      from head
      returning id
    ),
    released as (
      delete from network.names using appended where name = ${username} and ${to}::bigint = 0
    ),
    held as (
      insert into network.names (name, fid, transfer_id)
      select ${username}, ${to}, id from appended where ${to}::bigint <> 0
      on conflict (name) do update set fid = excluded.fid, transfer_id = excluded.transfer_id
    ),
    ${eventParts(now, 1, draftRows([event]), sql`exists (select from appended)`)}
    select id from appended
  `.execute(db);
  const [appended] = rows;
  return appended && { id: appended.id, ...transfer };
}

/** Runs each work once all that came before is done, whatever became of that. */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
