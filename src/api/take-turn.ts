const lastTurns = new WeakMap<object, Promise<unknown>>();

/** Runs `work` once all work of the same `owner` that came before is done, whatever became of that. */
export function takeTurn<T>(owner: object, work: () => Promise<T>): Promise<T> {
  const before = lastTurns.get(owner) ?? Promise.resolve();
  const turn = before.then(work);
  lastTurns.set(
    owner,
    turn.catch(() => {}),
  );
  return turn;
}
