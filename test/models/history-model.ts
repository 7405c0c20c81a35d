/** What keeps a ban up: one of ours that banned, one of ours that found it so, or somebody outside. */
interface Hold {
  by: "us" | "found" | "outside";
  /** The number of its case; undefined until it is seen. */
  number: number | undefined;
  /** UNIX milliseconds; null for good. */
  untilMs: number | null;
}

/** Who is banned and until when, written from what the commands promise without a look at the code. */
export interface BanModel {
  ban(fid: number, number: number | undefined, untilMs: number | null, by: "us" | "outside"): void;
  unban(fid: number): void;
  /** /case duration. */
  changeEnd(number: number, untilMs: number | null): void;
  /** Those whose time is over are lifted. */
  pass(nowMs: number): void;
  /** What others did has a case from now on. */
  see(fid: number, number: number): void;
  isBanned(fid: number): boolean;
  /** null for good. */
  untilOf(fid: number): number | null;
}

export function createBanModel(): BanModel {
  const bans = new Map<number, Hold[]>();

  function untilOf(fid: number): number | null {
    const holds = bans.get(fid) ?? [];
    const ends = holds.map(({ untilMs }) => untilMs);
    // What others banned for good, a moderator may have given an end.
    const isOurs = holds.some(({ by, untilMs }) => by === "us" || (by === "outside" && untilMs !== null));
    const timed = ends.filter((end) => end !== null);
    return !isOurs || timed.length < ends.length ? null : Math.max(...timed);
  }

  return {
    ban(fid, number, untilMs, by) {
      const holds = bans.get(fid);
      if (!holds) bans.set(fid, [{ by, number, untilMs }]);
      // On the network there is one ban: who bans outside what is banned changes nothing.
      else if (by === "us") holds.push({ by: "found", number, untilMs });
    },
    unban: (fid) => void bans.delete(fid),
    changeEnd(number, untilMs) {
      for (const holds of bans.values()) {
        if (!holds.some((hold) => hold.number === number)) continue;
        for (const hold of holds) {
          const isLonger = untilMs !== null && (hold.untilMs ?? Infinity) > untilMs;
          if (hold.number === number || (isLonger && hold.number !== undefined)) hold.untilMs = untilMs;
        }
      }
    },
    pass(nowMs) {
      for (const fid of bans.keys()) if ((untilOf(fid) ?? Infinity) <= nowMs) bans.delete(fid);
    },
    see(fid, number) {
      for (const hold of bans.get(fid) ?? []) if (hold.by === "outside") hold.number ??= number;
    },
    isBanned: (fid) => bans.has(fid),
    untilOf,
  };
}
