import { html } from "htm/preact";

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
