import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { seconds } from "../clock.ts";
import type { ParsedInputOf } from "../contract/endpoint.ts";
import { describeClaim, describeConsent, liveNameDomain } from "../contract/name-claim.ts";
import type { Transfer, transfers } from "../contract/registry.ts";
import { AppError } from "../errors.ts";
import type { ApiContext } from "./context.ts";
import { usernameProofMerged } from "./domain/hub-event.ts";
import { decideTransfer, type TransferFacts, type TransferRequest } from "./domain/name-transfer.ts";
import { createClaimHasher, isSignedBy, lowerHex, type ClaimHasher, type Hex } from "./signatures.ts";
import { appendTransfers, readRegistry, type SeenRegistry } from "./store/transfers.ts";

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

/** Before any head. */
const unread = -1;
/** Transfers in one statement. */
const mostTogether = 32;
/** Own transfers that are remembered, by which it is known what was written since a request was decided. */
const mostRemembered = 1_000;

/** Decides about transfers of names and records them: those that come while others are written go together. */
export function createRegistryWriter(context: ApiContext): RegistryWriter {
  const { database, registry } = context;
  const hashForLive = createClaimHasher(liveNameDomain);
  const waiting: Registration[] = [];
  const recorded = new LRUCache<number, Transfer>({ max: mostRemembered });
  let lastRecorded = 0;
  let isWriting = false;

  const decide = (request: ClaimRequest, facts: TransferFacts) =>
    decideTransfer(request, facts, seconds(context.clock), context.settings);

  /** Whether all transfers up to this head that came since it was decided are known, and none concerns it. */
  function isDecidedAt({ request, facts }: Registration, head: number): boolean {
    if (head - facts.head > mostRemembered) return false;
    for (let id = facts.head + 1; id <= head; id += 1) {
      const transfer = recorded.peek(id);
      if (!transfer || concerns(transfer, request)) return false;
    }
    return true;
  }

  /** Whether it is still to be recorded, by what the registry has now; else it is answered. */
  async function decideAnew(registration: Registration): Promise<boolean> {
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
      group.map(async (registration) => isDecidedAt(registration, before) || decideAnew(registration)),
    );
    const undecided = group.filter((_, index) => open[index]);
    const head = headOf(undecided);
    const chosen: Registration[] = [];
    const others: Registration[] = [];
    for (const registration of undecided) {
      const isAlone = !chosen.some(({ request }) => concerns(toRecord(request), registration.request));
      (isAlone && isDecidedAt(registration, head) ? chosen : others).push(registration);
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
      const transfers = await appendTransfers(database.query, seconds(context.clock), head, decided);
      if (!transfers) {
        // Another process wrote: nothing that was seen counts any more.
        forget();
        for (const registration of chosen) registration.facts = { ...registration.facts, head: unread };
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
    while (waiting.length > 0) await writeGroup(waiting.splice(0, mostTogether));
    isWriting = false;
  }

  return {
    async transfer(input) {
      const request = { ...input, owner: lowerHex(input.owner) };
      const facts = await gatherFacts(context, request, hashForLive);
      const existing = decide(request, facts);
      if (existing) return existing;
      const serverSignature = registry.sign(facts.claimHash);
      return new Promise((resolve, reject) => {
        waiting.push({ request, facts, serverSignature, resolve, reject });
        void writeWaiting();
      });
    },
  };
}

/** Whether a request would have to be decided anew after this transfer. */
function concerns(
  transfer: Omit<Transfer, "id" | "server_signature">,
  { name, to }: TransferRequest,
): boolean {
  return transfer.username === name || (to !== 0 && (transfer.from === to || transfer.to === to));
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
