import type { NameDomain } from "./name-claim.ts";

/** EIP-712 domain of signed key requests. */
export type KeyRequestDomain = NameDomain;

/** What an application asks for: that its key may sign for a user. `deadline` in UNIX seconds. */
export interface KeyRequest {
  requestFid: number;
  key: `0x${string}`;
  deadline: number;
}

/** What the custody address of the requesting application signs (interface.md, "Signed key request signatures"). */
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

/** What the user's custody address signs to answer: it binds everything that the page shows. */
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

/** interface.md's domain, with a contract address of our own: what is signed for us is worth nothing elsewhere. */
export const ownKeyRequestDomain: KeyRequestDomain = {
  name: "Service SignedKeyRequestValidator",
  version: "1",
  chainId: 10,
  verifyingContract: "0xca57e11a00000000000000000000000000000001",
};

/** The live network's. */
export const liveKeyRequestDomain: KeyRequestDomain = {
  name: "Farcaster SignedKeyRequestValidator",
  version: "1",
  chainId: 10,
  verifyingContract: "0x00000000fc700472606ed4fa22623acf62c60553",
};
