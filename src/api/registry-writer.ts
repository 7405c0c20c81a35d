import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { seconds } from "../clock.ts";
import type { ParsedInputOf } from "../contract/endpoint.ts";
import { describeClaim, describeConsent, liveNameDomain } from "../contract/name-claim.ts";
import type { Transfer, transfers } from "../contract/registry.ts";
import type { Queryable } from "../database/database.ts";
import { AppError } from "../errors.ts";
import type { ApiContext } from "./context.ts";
import { usernameProofMerged, type HubEventDraft } from "./domain/hub-event.ts";
import {
  concerns,
  decideTransfer,
  isName,
  type TransferFacts,
  type TransferRequest,
} from "./domain/name-transfer.ts";
import { createClaimHasher, isSignedBy, lowerHex, type ClaimHasher, type Hex } from "./signatures.ts";
import { eventPartsOfAll } from "./store/hub-events.ts";
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

/** A transfer that was decided and is to be recorded. */
interface Registration {
  request: ClaimRequest;
  facts: SeenFacts;
  serverSignature: Hex;
  resolve(transfer: Transfer): void;
  reject(error: unknown): void;
}

/** Transfers in one statement. */
const maxBatch = 32;

/** Decides about transfers of names and records them: those that come while others are written go together. */
export function createRegistryWriter(context: ApiContext): RegistryWriter {
  const { database, registry } = context;
  const hashForLive = createClaimHasher(liveNameDomain);
  const waiting: Registration[] = [];
  /** Own transfers, by which it is known what was written since a request was decided. */
  const recorded = new LRUCache<number, Transfer>({ max: 1_000 });
  let lastRecorded = 0;
  let isWriting = false;

  const decide = (request: ClaimRequest, facts: TransferFacts) =>
    decideTransfer(request, facts, seconds(context.clock), context.settings);

  /** Whether all transfers up to this head that came since it was decided are known, and none concerns it. */
  function isCurrent({ request, facts }: Registration, head: number): boolean {
    for (let id = facts.head + 1; id <= head; id += 1) {
      const transfer = recorded.peek(id);
      if (!transfer || concerns(transfer, request)) return false;
    }
    return true;
  }

  /** Whether it is still to be recorded, by what the registry has now; else it is answered. */
  async function revalidate(registration: Registration): Promise<boolean> {
    const { request } = registration;
    try {
      registration.facts = { ...registration.facts, ...(await readRegistry(database.query, request)) };
      // The database was put back to what it was before.
      if (registration.facts.head < lastRecorded) forget();
      const existing = decide(request, registration.facts);
      if (existing) registration.resolve(existing);
      return !existing;
    } catch (error) {
      registration.reject(error);
      return false;
    }
  }

  /** Of a group, those that can be written at one head without regard to each other. The others wait again. */
  async function choose(group: Registration[]): Promise<{ head: number; chosen: Registration[] }> {
    const before = headOf(group);
    const open = await Promise.all(
      group.map(async (registration) => isCurrent(registration, before) || revalidate(registration)),
    );
    const undecided = group.filter((_, index) => open[index]);
    const head = headOf(undecided);
    const chosen: Registration[] = [];
    const others: Registration[] = [];
    for (const registration of undecided) {
      const isAlone = !chosen.some(({ request }) => concerns(toRecord(request), registration.request));
      (isAlone && isCurrent(registration, head) ? chosen : others).push(registration);
    }
    waiting.unshift(...others);
    return { head, chosen };
  }

  function headOf(group: Registration[]): number {
    return Math.max(lastRecorded, ...group.map(({ facts }) => facts.head));
  }

  function forget(): void {
    recorded.clear();
    lastRecorded = 0;
  }

  async function writeGroup(group: Registration[]): Promise<void> {
    const { head, chosen } = await choose(group);
    if (chosen.length === 0) return;
    try {
      const decided = chosen.map(({ request, facts, serverSignature }) => {
        const transfer = { ...toRecord(request), server_signature: serverSignature };
        const replaced = facts.latest?.to === 0 ? undefined : facts.latest;
        return { transfer, event: usernameProofMerged(transfer, replaced) };
      });
      const transfers = await appendTransfers(context, head, decided);
      if (!transfers) {
        // Another process wrote: nothing that was seen counts any more, and each is before any head.
        forget();
        for (const registration of chosen) registration.facts = { ...registration.facts, head: -1 };
        return void waiting.unshift(...chosen);
      }
      for (const [index, transfer] of transfers.entries()) {
        recorded.set(transfer.id, transfer);
        lastRecorded = transfer.id;
        chosen[index]?.resolve(transfer);
      }
    } catch (error) {
      if (chosen.length === 1 || error instanceof AppError) {
        for (const registration of chosen) registration.reject(error);
        return;
      }
      // Whatever is wrong with one of them is not to be the others' trouble.
      for (const registration of chosen) await writeGroup([registration]);
    }
  }

  async function writeWaiting(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) await writeGroup(waiting.splice(0, maxBatch));
    isWriting = false;
  }

  async function transfer(input: TransferInput): Promise<Transfer> {
    const request = { ...input, owner: lowerHex(input.owner) };
    const facts = await gatherFacts(context, request, hashForLive);
    const existing = decide(request, facts);
    if (existing) return existing;
    const serverSignature = registry.sign(facts.claimHash);
    return new Promise((resolve, reject) => {
      waiting.push({ request, facts, serverSignature, resolve, reject });
      void writeWaiting();
    });
  }

  return { transfer };
}

function toRecord({ name: username, owner, from, to, timestamp, signature }: ClaimRequest) {
  return { timestamp, username, owner, from, to, user_signature: lowerHex(signature) };
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

/** What a request is decided by, in one statement, so that a registration takes little longer than its signatures do. */
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
}

/**
 * Appends transfers and their events and lets the names follow, in one statement that does nothing, and gives nothing,
 * unless `head` is the stream's last id. None may concern another's name or holder. Ids become visible in order: who
 * writes holds both streams.
 */
async function appendTransfers(
  { database, clock, settings }: ApiContext,
  head: number,
  decided: DecidedTransfer[],
): Promise<Transfer[] | undefined> {
  const transfers = decided.map(({ transfer }) => transfer);
  const column = (key: keyof Omit<Transfer, "id">) => transfers.map((transfer) => transfer[key]);
  const released = transfers.filter(({ to }) => to === 0).map(({ username }) => username);
  const events = decided.map(({ event }) => event);
  const isAppended = sql`exists (select from appended)`;
  const { rows } = await sql<{ before: number }>`
    with head as (
      update network.stream_heads set last_id = last_id + ${decided.length}::bigint
      where stream = 'transfers' and last_id = ${head}
      returning last_id - ${decided.length}::bigint as before
    ),
    appended as (
      insert into network.transfers
        (id, timestamp, username, owner, from_fid, to_fid, user_signature, server_signature)
      select before + position, timestamp, username, owner, from_fid, to_fid, user_signature, server_signature
      from head, unnest(
        ${column("timestamp")}::bigint[], ${column("username")}::text[], ${column("owner")}::text[],
        ${column("from")}::bigint[], ${column("to")}::bigint[],
        ${column("user_signature")}::text[], ${column("server_signature")}::text[]
      ) with ordinality as given
        (timestamp, username, owner, from_fid, to_fid, user_signature, server_signature, position)
      order by position
      returning id, username, to_fid
    ),
    released as (
      delete from network.names where name = any (${released}::text[]) and exists (select from appended)
    ),
    held as (
      insert into network.names (name, fid, transfer_id)
      select username, to_fid, id from appended where to_fid <> 0
      on conflict (name) do update set fid = excluded.fid, transfer_id = excluded.transfer_id
    ),
    ${eventPartsOfAll(seconds(clock), events, settings.hub, isAppended)}
    select before from head
  `.execute(database.query);
  const [appended] = rows;
  return appended && transfers.map((transfer, index) => ({ id: appended.before + 1 + index, ...transfer }));
}
