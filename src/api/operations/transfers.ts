import {
  registryInfo as infoEndpoints,
  transfers as endpoints,
  type Transfer,
} from "../../contract/registry.ts";
import { AppError } from "../../errors.ts";
import { seconds } from "../../clock.ts";
import type { WriteScope } from "../context.ts";
import { usernameProofMerged } from "../domain/hub-event.ts";
import { decideTransfer } from "../domain/name-transfer.ts";
import { read, write, type Operations } from "../operation.ts";
import { appendHubEvents } from "../store/hub-events.ts";
import {
  appendTransfer,
  findCurrentTransfer,
  findLatestTransfer,
  listTransfers,
  lockRegistry,
  readRegistryState,
} from "../store/transfers.ts";
import { verifyRequest, type VerifiedRequest } from "../verify-claim.ts";

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

  create: write(
    endpoints.create,
    async (scope, _input, request: VerifiedRequest) => ({ transfer: await recordTransfer(scope, request) }),
    verifyRequest,
  ),
};

export const registryInfoOperations: Operations<{ registryInfo: typeof infoEndpoints }>["registryInfo"] = {
  signer: read(infoEndpoints.signer, async ({ context }) => ({ signer: context.registry.address })),
  currentTime: read(infoEndpoints.currentTime, async ({ now }) => ({ currentTime: now })),
  health: read(infoEndpoints.health, async () => ({ status: "ok" })),
};

async function recordTransfer({ context, db }: WriteScope, request: VerifiedRequest): Promise<Transfer> {
  await lockRegistry(db);
  const state = await readRegistryState(db, request);
  const now = seconds(context.clock);
  const existing = decideTransfer(request, state, now, context.settings);
  if (existing) return existing;
  const { name, owner, from, to, timestamp, signatures } = request;
  const transfer = await appendTransfer(db, { timestamp, username: name, owner, from, to, ...signatures });
  const replaced = state.latest?.to === 0 ? undefined : state.latest;
  await appendHubEvents(db, now, [usernameProofMerged(transfer, replaced)]);
  return transfer;
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
