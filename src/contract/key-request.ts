import type { NameDomain } from "./name-claim.ts";

/** EIP-712 domain of signed key requests. */
export type KeyRequestDomain = NameDomain;

/** An application's request that its key can sign for a user. `deadline` in UNIX seconds. */
export interface KeyRequest {
  requestFid: number;
  key: `0x${string}`;
  deadline: number;
}

/** The message that the requesting application's custody address signs (interface.md, "Signed key request signatures"). */
export function describeKeyRequest(domain: KeyRequestDomain, request: KeyRequest) {
  return {
    domain,
    types: {
      SignedKeyRequest: [
        { name: "requestFid", type: "uint256" },
        { name: "key", type: "bytes" },
        { name: "deadline", type: "uint256" },
      ],
    },
    primaryType: "SignedKeyRequest",
    message: {
      requestFid: BigInt(request.requestFid),
      key: request.key,
      deadline: BigInt(request.deadline),
    },
  } as const;
}

export type KeyAnswer = "approve" | "refuse";

/** The message that the user's custody address signs as an answer: it covers everything that the page shows. */
export function describeKeyAnswer(
  domain: KeyRequestDomain,
  { answer, token, userFid, ...request }: KeyRequest & { answer: KeyAnswer; token: string; userFid: number },
) {
  return {
    domain,
    types: {
      SignedKeyAnswer: [
        { name: "answer", type: "string" },
        { name: "userFid", type: "uint256" },
        { name: "requestFid", type: "uint256" },
        { name: "key", type: "bytes" },
        { name: "deadline", type: "uint256" },
        { name: "token", type: "string" },
      ],
    },
    primaryType: "SignedKeyAnswer",
    message: {
      answer,
      userFid: BigInt(userFid),
      requestFid: BigInt(request.requestFid),
      key: request.key,
      deadline: BigInt(request.deadline),
      token,
    },
  } as const;
}

/** interface.md's domain, but with our own contract address, so that signatures for us are worthless elsewhere. */
export const ownKeyRequestDomain: KeyRequestDomain = {
  name: "Service SignedKeyRequestValidator",
  version: "1",
  chainId: 10,
  verifyingContract: "0xca57e11a00000000000000000000000000000001",
};

/** The live network's domain. */
export const liveKeyRequestDomain: KeyRequestDomain = {
  name: "Farcaster SignedKeyRequestValidator",
  version: "1",
  chainId: 10,
  verifyingContract: "0x00000000fc700472606ed4fa22623acf62c60553",
};
