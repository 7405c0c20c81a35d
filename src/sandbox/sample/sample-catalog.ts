import type { SandboxAccount } from "./accounts.ts";

const week = 7 * 24 * 3600;
/** The latest weeks with published rewards. */
const weeks = 3;

/** The sample network's other data: actions, rewards, addresses and a starter pack. */
export function makeSampleCatalog(people: readonly SandboxAccount[], now: number): object {
  const winners = people.slice(0, 5).map(({ fid, name, custodyAddress }, index) => ({
    fid,
    username: name,
    score: 97.5 - index * 8.25,
    rank: index + 1,
    rewardCents: Math.round(50_000 / (index + 1)),
    walletAddress: custodyAddress,
  }));
  return {
    actions: [action("Bookmark", "bookmark", 8410), action("Translate", "globe", 3200)],
    composerActions: [
      { ...action("Poll", "list-unordered", 5120), imageUrl: picture("poll"), featuredRank: 1 },
      { ...action("Sketch", "pencil", 940), imageUrl: picture("sketch") },
    ],
    creatorRewards: endedWeeks(now).map((period) => ({ ...period, winners })),
    developerRewards: endedWeeks(now).map((period) => ({
      ...period,
      winners: winners.map(({ username, ...winner }) => ({
        ...winner,
        domain: `${username}.example`,
        frameName: `${username}'s game`,
      })),
    })),
    primaryAddresses: people.map(({ fid, custodyAddress }) => ({
      fid,
      protocol: "ethereum",
      address: custodyAddress,
    })),
    starterPacks: [
      {
        id: "night-people",
        members: people
          .slice(0, 12)
          .map(({ fid }, index) => ({ fid, memberAt: (now - index * 3600) * 1000 })),
      },
    ],
  };
}

function action(name: string, icon: string, totalUsers: number): object {
  const home = `https://${name.toLowerCase()}.example`;
  return {
    name,
    icon,
    description: `${name} a cast`,
    aboutUrl: `${home}/about`,
    actionUrl: `${home}/action`,
    action: { actionType: "post", postUrl: `${home}/act` },
    totalUsers,
  };
}

function picture(name: string): string {
  return `https://${name}.example/logo.png`;
}

/** The latest weeks that ended long enough ago to have winners. */
function endedWeeks(now: number): { periodStartTimestamp: number; periodEndTimestamp: number }[] {
  return Array.from({ length: weeks }, (_, index) => {
    const end = (Math.floor(now / week) - 1 - index) * week;
    return { periodStartTimestamp: (end - week) * 1000, periodEndTimestamp: end * 1000 - 1 };
  });
}
