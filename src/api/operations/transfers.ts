import {
  registryInfo as infoEndpoints,
  transfers as endpoints,
  type Transfer,
} from "../../contract/registry.ts";
import { AppError } from "../../errors.ts";
import { seconds } from "../../clock.ts";
import type { ApiContext } from "../context.ts";
import type { Queryable } from "../../database/database.ts";
import { lowerHex, type Hex } from "../custody.ts";
import { usernameProofMerged } from "../domain/hub-event.ts";
import { decideTransfer, isName } from "../domain/name-transfer.ts";
import { ownTransactions, read, type Operations } from "../operation.ts";
import {
  appendTransfer,
  findCurrentTransfer,
  findLatestTransfer,
  listTransfers,
  readRegistry,
  type SeenRegistry,
} from "../store/transfers.ts";
import { takeTurn } from "../take-turn.ts";
import { isClaimSigned, verifyRequest, type ClaimRequest } from "../verify-claim.ts";

const pageSize = 100;

export const transfersOperations: Operations<{ transfers: typeof endpoints }>["transfers"] = {
  list: read(endpoints.list, async ({ db }, input) => ({
    transfers: await listTransfers(db, {
      name: input.name ?? input.fname,
      fid: input.fid,
      fromId: input.from_id ?? input.fromId,
      fromTimestamp: input.from_ts,
      limit: pageSize,
    }),
  })),

  current: read(endpoints.current, async ({ db }, { fid, ...names }) => {
    if (fid !== undefined && fid !== "") {
      return answerCurrent(await findTransferOfFid(db, fid), "Could not resolve current name");
    }
    const name = names.name ?? names.fname;
    if (name !== undefined)
      return answerCurrent(await findCurrentTransfer(db, { name }), "No transfer found");
    return answerCurrent(await findLatestTransfer(db), "No transfer found");
  }),

  create: ownTransactions(endpoints.create, async ({ context }, input) => {
    const request = { ...input, owner: lowerHex(input.owner) };
    const [seen, isSigned] = await Promise.all([
      look(context, request),
      isClaimSigned(context.settings, request),
    ]);
    await verifyRequest(context.settings, request, seen.addresses, isSigned);
    const transfer = await takeTurn(context.registry, () => record(context, request, seen));
    return { transfer };
  }),
};

export const registryInfoOperations: Operations<{ registryInfo: typeof infoEndpoints }>["registryInfo"] = {
  signer: read(infoEndpoints.signer, async ({ context: { registry } }) => ({
    signer: registry.address,
    domain: registry.domain,
  })),
  currentTime: read(infoEndpoints.currentTime, async ({ now }) => ({ currentTime: now })),
  health: read(infoEndpoints.health, async () => ({ status: "ok" })),
};

function look({ database }: ApiContext, request: ClaimRequest): Promise<SeenRegistry> {
  // A text that is no name is refused by verifyRequest; the database does not take every text.
  return readRegistry(database.query, isName(request.name) ? request : { ...request, name: "" });
}

/** The last transfer that this process recorded. */
const lastRecorded = new WeakMap<object, number>();

/**
 * Decides by what was seen, and anew when another transfer was written since. In turns: registrations that ran together
 * would each find that another came before it was recorded, and begin anew.
 */
async function record(context: ApiContext, request: ClaimRequest, first: SeenRegistry): Promise<Transfer> {
  const { name, owner, from, to, timestamp, signature } = request;
  const { registry, settings } = context;
  let signed: Hex | undefined;
  const isOver = first.head < (lastRecorded.get(registry) ?? 0);
  for (let seen = isOver ? await look(context, request) : first; ; seen = await look(context, request)) {
    const now = seconds(context.clock);
    const existing = decideTransfer(request, seen, now, settings);
    if (existing) return existing;
    signed ??= await registry.signClaim(request);
    const signatures = { user_signature: lowerHex(signature), server_signature: signed };
    const transfer = { timestamp, username: name, owner, from, to, ...signatures };
    const replaced = seen.latest?.to === 0 ? undefined : seen.latest;
    const event = usernameProofMerged(transfer, replaced);
    const recorded = await appendTransfer(context.database.query, now, { transfer, event, head: seen.head });
    if (!recorded) continue;
    lastRecorded.set(registry, recorded.id);
    return recorded;
  }
}

function answerCurrent(transfer: Transfer | undefined, problem: string) {
  // Without a filter the latest of all may be a release: then nobody has that name.
  if (!transfer || transfer.to === 0) throw new AppError("not_found", problem);
  return { transfers: [transfer], transfer };
}

async function findTransferOfFid(db: Queryable, given: number | string): Promise<Transfer | undefined> {
  const fid = Number(given);
  if (Number.isNaN(fid) || String(given).trim() === "") {
    throw new AppError("invalid_request", "fid: must be a number", { instancePath: "/fid" });
  }
  // A number that is no fid is nobody's.
  return Number.isSafeInteger(fid) ? findCurrentTransfer(db, { fid }) : undefined;
}
