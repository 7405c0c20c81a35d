// @ts-nocheck
import { randomBytes } from "node:crypto";
import { getPublicKeyAsync } from "@noble/ed25519";
import { defaultSettings } from "../../src/api/context.ts";
import { describeKeyAnswer, describeKeyRequest, type KeyAnswer } from "../../src/contract/key-request.ts";
import { custodyOf } from "./names.ts";

const domain = defaultSettings.keyRequestDomain;

export interface KeyPair {
  privateKey: Buffer;
  key: `0x${string}`;
}

export async function createKeyPair(): Promise<KeyPair> {
  const privateKey = randomBytes(32);
  return { privateKey, key: `0x${Buffer.from(await getPublicKeyAsync(privateKey)).toString("hex")}` };
}

interface RequestDraft {
  key: `0x${string}`;
  requestFid: number;
  deadline: number;
  sponsorFid?: number;
  /** Who signs, where it is not who should. */
  signedBy?: number;
}

/** The body of POST /v2/signed-key-request, signed by the custody addresses that it needs. */
export async function signKeyRequest({ signedBy, sponsorFid, ...request }: RequestDraft) {
  const signer = custodyOf(signedBy ?? request.requestFid);
  const signature = await signer.signTypedData(describeKeyRequest(domain, request));
  const sponsorship = sponsorFid !== undefined && {
    sponsorship: {
      sponsorFid,
      signature: await custodyOf(sponsorFid).signMessage({ message: { raw: signature } }),
    },
  };
  return { ...request, signature, ...sponsorship };
}

/** What a question says that an answer to it binds. */
export interface Asked {
  token: string;
  key: `0x${string}`;
  requestFid: number;
  deadline: number;
}

/** The body of POST /signed-key-request/answer. */
export async function signKeyAnswer(asked: Asked, userFid: number, answer: KeyAnswer, signedBy = userFid) {
  const { token } = asked;
  const message = describeKeyAnswer(domain, { ...asked, userFid, answer });
  return { token, userFid, answer, signature: await custodyOf(signedBy).signTypedData(message) };
}
