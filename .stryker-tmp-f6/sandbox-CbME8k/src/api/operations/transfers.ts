// @ts-nocheck
import {
  registryInfo as infoEndpoints,
  transfers as endpoints,
  type Transfer,
} from "../../contract/registry.ts";
import { AppError } from "../../errors.ts";
import { seconds } from "../../clock.ts";
import type { ParsedInputOf } from "../../contract/endpoint.ts";
import type { ApiContext } from "../context.ts";
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
import { verifyRequest } from "../verify-claim.ts";

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
      return answerCurrent(
        await findCurrentTransfer(db, { fid: parseFid(fid) }),
        "Could not resolve current name",
      );
    }
    const name = names.name ?? names.fname;
    if (name !== undefined)
      return answerCurrent(await findCurrentTransfer(db, { name }), "No transfer found");
    return answerCurrent(await findLatestTransfer(db), "No transfer found");
  }),

  create: ownTransactions(endpoints.create, async ({ context, db }, input) => {
    const request = { ...input, owner: lowerHex(input.owner) };
    // Looked at while the signature is checked, which takes as long; a text that is no name is refused by the check.
    const [seen] = await Promise.all([
      isName(request.name) ? readRegistry(db, request) : undefined,
      verifyRequest(context, request),
    ]);
    return { transfer: await recordTransfer(context, request, seen) };
  }),
};

export const registryInfoOperations: Operations<{ registryInfo: typeof infoEndpoints }>["registryInfo"] = {
  signer: read(infoEndpoints.signer, async ({ context }) => ({ signer: context.registry.address })),
  currentTime: read(infoEndpoints.currentTime, async ({ now }) => ({ currentTime: now })),
  health: read(infoEndpoints.health, async () => ({ status: "ok" })),
};

type Request = ParsedInputOf<typeof endpoints.create> & { owner: Hex };

/** Decides by what was seen, and anew when somebody else wrote before it was recorded. */
async function recordTransfer(
  context: ApiContext,
  request: Request,
  first?: SeenRegistry,
): Promise<Transfer> {
  const { name, owner, from, to, timestamp, signature } = request;
  const db = context.database.query;
  let signed: Hex | undefined;
  for (let seen = first; ; seen = undefined) {
    seen ??= await readRegistry(db, request);
    const now = seconds(context.clock);
    const existing = decideTransfer(request, seen, now, context.settings);
    if (existing) return existing;
    signed ??= await context.registry.signClaim(request);
    const signatures = { user_signature: lowerHex(signature), server_signature: signed };
    const transfer = { timestamp, username: name, owner, from, to, ...signatures };
    const replaced = seen.latest?.to === 0 ? undefined : seen.latest;
    const event = usernameProofMerged(transfer, replaced);
    const recorded = await appendTransfer(db, now, { transfer, event, head: seen.head });
    if (recorded) return recorded;
  }
}

function answerCurrent(transfer: Transfer | undefined, problem: string) {
  // Without a filter the latest of all may be a release: then nobody has that name.
  if (!transfer || transfer.to === 0) throw new AppError("not_found", problem);
  return { transfers: [transfer], transfer };
}

function parseFid(fid: number | string): number {
  const number = Number(fid);
  if (/^[0-9]+$/.test(String(fid)) && Number.isSafeInteger(number)) return number;
  throw new AppError("invalid_request", "fid: must be a number", { instancePath: "/fid" });
}
