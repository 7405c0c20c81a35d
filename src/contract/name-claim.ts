/** EIP-712 domain of name claims. */
export interface NameDomain {
  name: string;
  version: string;
  chainId: number;
  verifyingContract: `0x${string}`;
}

/** The content of a UserNameProof: timestamp in UNIX seconds. */
export interface NameClaim {
  name: string;
  owner: `0x${string}`;
  timestamp: number;
}

/** The message that a user signs to claim a name. */
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

/** The message that a name's holder signs if someone else requests its transfer. */
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

/** Has our own contract address, because claims are public: those signed for us must be worthless elsewhere. */
export const ownNameDomain: NameDomain = {
  name: "Farcaster name verification",
  version: "1",
  chainId: 1,
  verifyingContract: "0xca57e11a00000000000000000000000000000002",
};

/** The live registry's domain. */
export const liveNameDomain: NameDomain = {
  name: "Farcaster name verification",
  version: "1",
  chainId: 1,
  verifyingContract: "0xe3be01d99baa8db9905b33a3ca391238234b79d1",
};
