/** EIP-712 domain of name claims. */
export interface NameDomain {
  name: string;
  version: string;
  chainId: number;
  verifyingContract: `0x${string}`;
}

/** What a UserNameProof signs: timestamp in UNIX seconds. */
export interface NameClaim {
  name: string;
  owner: `0x${string}`;
  timestamp: number;
}

/** What a user signs to have a name. */
export function describeClaim(domain: NameDomain, claim: NameClaim) {
  return {
    domain,
    types: {
      UserNameProof: [
        { name: "name", type: "string" },
        { name: "timestamp", type: "uint256" },
        { name: "owner", type: "address" },
      ],
    },
    primaryType: "UserNameProof",
    message: { name: claim.name, timestamp: BigInt(claim.timestamp), owner: claim.owner },
  } as const;
}

/** What the holder of a name signs when somebody else asks for its transfer. */
export function describeConsent(domain: NameDomain, consent: NameClaim & { to: number }) {
  return {
    domain,
    types: {
      UserNameTransfer: [
        { name: "name", type: "string" },
        { name: "timestamp", type: "uint256" },
        { name: "owner", type: "address" },
        { name: "to", type: "uint256" },
      ],
    },
    primaryType: "UserNameTransfer",
    message: {
      name: consent.name,
      timestamp: BigInt(consent.timestamp),
      owner: consent.owner,
      to: BigInt(consent.to),
    },
  } as const;
}

/** With a contract address of our own: a claim that is signed for us, and anyone can read, is worth nothing elsewhere. */
export const ownNameDomain: NameDomain = {
  name: "Farcaster name verification",
  version: "1",
  chainId: 1,
  verifyingContract: "0xca57e11a00000000000000000000000000000002",
};

/** The live registry's. */
export const liveNameDomain: NameDomain = {
  name: "Farcaster name verification",
  version: "1",
  chainId: 1,
  verifyingContract: "0xe3be01d99baa8db9905b33a3ca391238234b79d1",
};
