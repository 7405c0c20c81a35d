import { useEffect } from "preact/hooks";

/** The element with the focus, and its item in the list. */
interface Spot {
  element: HTMLElement;
  item: HTMLElement | undefined;
  /** The list, as it was last seen with this item. */
  items: readonly HTMLElement[];
  /** Whether it acts on the selected items, of which `item` is the last. */
  isForSelected: boolean;
}

const focusable = "a[href], button, input, select, textarea, summary, [tabindex]";
const listItems = () => [...document.querySelectorAll<HTMLElement>("[data-item]")];

/**
 * Keeps the focus in the content when a dialog closes, or when the focused element was disabled or disappeared. Browsers
 * would move it to the body, from where the keyboard starts at the top of the page.
 */
export function useFocusReturn(): void {
  useEffect(() => {
    let spot: Spot | undefined;
    const remember = ({ target }: Event) => {
      if (!(target instanceof Element) || target.closest("dialog")) return;
      const element = target.closest<HTMLElement>(focusable);
      spot = element?.closest("main") ? readSpot(element) : undefined;
    };
    const observer = new MutationObserver(() => {
      if (spot?.item?.isConnected) spot.items = listItems();
      const isLost = document.activeElement === document.body && !document.querySelector("dialog");
      if (spot && isLost) findPlace(spot)?.focus();
    });
    document.addEventListener("focusin", remember);
    // Safari does not focus a clicked button.
    document.addEventListener("pointerdown", remember);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    return () => {
      document.removeEventListener("focusin", remember);
      document.removeEventListener("pointerdown", remember);
      observer.disconnect();
    };
  }, []);
}

function readSpot(element: HTMLElement): Spot {
  const items = listItems();
  const isForSelected = element.closest(".several") !== null;
  const item = isForSelected
    ? items.findLast((one) => one.querySelector(".choose :checked"))
    : (element.closest<HTMLElement>("[data-item]") ?? undefined);
  return { element, item, items, isForSelected };
}

/** The element, its item, or the next item; undefined while the element is disabled. */
function findPlace({ element, item, items, isForSelected }: Spot): HTMLElement | null | undefined {
  if (element.isConnected) return element.matches(":disabled") ? undefined : element;
  if (item?.isConnected && !isForSelected) return item;
  const at = item ? items.indexOf(item) : -1;
  const others = item ? [...items.slice(at + 1), ...items.slice(0, at).toReversed()] : [];
  return others.find(({ isConnected }) => isConnected) ?? document.getElementById("main");
}
