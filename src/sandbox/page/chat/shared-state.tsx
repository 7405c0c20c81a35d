import { Component, type FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

/** State shared by components. `change` returns the new parts, and all subscribers are notified. */
export interface Store<S> {
  state: S;
  change(patch: Partial<S> | ((state: S) => Partial<S>)): void;
  /** Returns a function that stops listening. */
  listen(listener: (state: S) => void): () => void;
}

export function createStore<S extends object>(initial: S): Store<S> {
  const listeners = new Set<(state: S) => void>();
  const store: Store<S> = {
    state: initial,
    change(patch) {
      const parts = typeof patch === "function" ? patch(store.state) : patch;
      if (isSame(store.state, { ...store.state, ...parts })) return;
      store.state = { ...store.state, ...parts };
      for (const listener of listeners) listener(store.state);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return store;
}

export function useStore<S>(store: Store<S>): S {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    setState(store.state);
    return store.listen(setState);
  }, [store]);
  return state;
}

/** A component that is rendered again only if a property changes, which saves rendering long lists. */
export function memo<P extends object>(Inner: FunctionComponent<P>) {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P) {
      return !isSame(this.props, next);
    }
    override render() {
      return <Inner {...this.props} />;
    }
  };
}

function isSame(one: object, other: object): boolean {
  const before = new Map<string, unknown>(Object.entries(one));
  const after = Object.entries(other);
  return after.length === before.size && after.every(([name, part]) => before.get(name) === part);
}
