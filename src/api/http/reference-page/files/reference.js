import { offerTrials } from "./try-it.js";

/** Where all of it is served from: a proxy may have put it below a path. */
const base = location.origin + location.pathname.replace(/\/reference\/?$/, "");

const find = (selector, within = document) => within.querySelector(selector);
const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];

for (const sample of findAll("pre")) {
  sample.textContent = sample.textContent.replaceAll("http://127.0.0.1:4680", base);
}
// On a phone the list of calls would stand before everything.
if (matchMedia("(max-width: 760px)").matches) find("nav details").open = false;
find(".tools").hidden = false;

const search = find("#search");
const endpoints = findAll(".endpoint");
const texts = new Map(endpoints.map((endpoint) => [endpoint, endpoint.textContent.toLowerCase()]));

search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/);
  for (const endpoint of endpoints) {
    const isFound = words.every(
      (word) => texts.get(endpoint).includes(word) || endpoint.id.toLowerCase().includes(word),
    );
    endpoint.hidden = !isFound;
    find(`nav a[href="#${CSS.escape(endpoint.id)}"]`).parentElement.hidden = !isFound;
  }
  for (const group of findAll(".group-of-calls, main section, nav ul ul")) {
    const isEmpty = findAll(".endpoint, li", group).every((each) => each.hidden);
    (group.matches("nav ul") ? group.parentElement : group).hidden = isEmpty;
  }
  const isNothing = endpoints.every((endpoint) => endpoint.hidden);
  find("#none").hidden = !isNothing;
  find("#none").textContent = isNothing ? "No call has all of these words." : "";
});

document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key !== "/" || isTyping) return;
  event.preventDefault();
  search.focus();
});

/** A link to a call opens it. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(target instanceof HTMLDetailsElement)) return;
  target.open = true;
  target.scrollIntoView();
}
window.addEventListener("hashchange", openTarget);
openTarget();

void offerTrials(base);
