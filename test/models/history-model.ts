/** Who is banned and until when, in UNIX milliseconds, null for good: written from what the commands promise without a look at the code. */
export interface BanModel {
  /** Somebody saw what stands, and said until when the ban is to hold; also of whom others banned. */
  ban(fid: number, untilMs: number | null): void;
  /** The same without a look at what stands: that makes it longer and never shorter. */
  banUnseen(fid: number, untilMs: number | null): void;
  /** On the network there is one ban: who bans outside what is banned changes nothing. */
  banOutside(fid: number): void;
  unban(fid: number): void;
  /** Those whose time is over are lifted. */
  pass(nowMs: number): void;
  isBanned(fid: number): boolean;
  untilOf(fid: number): number | null;
}

export function createBanModel(): BanModel {
  const ends = new Map<number, number | null>();
  return {
    ban: (fid, untilMs) => void ends.set(fid, untilMs),
    banUnseen(fid, untilMs) {
      const before = ends.get(fid);
      const isLonger = before !== null && (untilMs === null || untilMs > (before ?? 0));
      if (before === undefined || isLonger) ends.set(fid, untilMs);
    },
    banOutside: (fid) => void (ends.has(fid) || ends.set(fid, null)),
    unban: (fid) => void ends.delete(fid),
    pass(nowMs) {
      for (const [fid, untilMs] of ends) if (untilMs !== null && untilMs <= nowMs) ends.delete(fid);
    },
    isBanned: (fid) => ends.has(fid),
    untilOf: (fid) => ends.get(fid) ?? null,
  };
}
