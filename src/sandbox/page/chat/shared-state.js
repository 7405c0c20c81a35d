import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";

/** State that components share: `change` gives the parts that are new, and everyone who looks is told. */
export function createStore(initial) {
  const listeners = new Set();
  const store = {
    state: initial,
    change(patch) {
      const parts = typeof patch === "function" ? patch(store.state) : patch;
      if (Object.entries(parts).every(([name, part]) => store.state[name] === part)) return;
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

export function useStore(store) {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    setState(store.state);
    return store.listen(setState);
  }, [store]);
  return state;
}

/** A component that is drawn anew only when one of its properties is another: a long list stands still around what changes. */
export function memo(Component) {
  return function Memo(props) {
    this.shouldComponentUpdate = isOther;
    return html`<${Component} ...${props} />`;
  };
}

function isOther(next) {
  const names = new Set([...Object.keys(this.props), ...Object.keys(next)]);
  return [...names].some((name) => this.props[name] !== next[name]);
}
