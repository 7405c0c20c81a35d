import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Problem, Waiting } from "./parts.js";

/** A part of the console that is fetched when it is first opened: its module's `Part`. */
export function later(load) {
  let loaded;
  return function Later(props) {
    const [Part, setPart] = useState(() => loaded);
    const [problem, setProblem] = useState();
    useEffect(() => {
      load().then(
        (module) => {
          loaded = module.Part;
          setPart(() => loaded);
        },
        () => setProblem({ message: "This part of the console could not be fetched. Reload the page." }),
      );
    }, []);
    if (problem) return html`<${Problem} problem=${problem} />`;
    return Part ? html`<${Part} ...${props} />` : html`<${Waiting} />`;
  };
}
