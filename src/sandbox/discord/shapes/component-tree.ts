import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import type { FormIssue } from "../discord-error.ts";
import type { AnyComponent, Component } from "./component.ts";

type Path = readonly (string | number)[];
type ComponentOf<Type extends ComponentType> = Extract<AnyComponent, { type: Type }>;

export interface PlacedComponent {
  component: AnyComponent;
  path: Path;
}

/** Every component of a message, parents before children. */
export function* walkComponents(components: readonly AnyComponent[], path: Path): Iterable<PlacedComponent> {
  for (const [index, component] of components.entries()) {
    const here = [...path, index];
    yield { component, path: here };
    if ("components" in component) yield* walkComponents(component.components, [...here, "components"]);
    if ("accessory" in component) yield { component: component.accessory, path: [...here, "accessory"] };
  }
}

/** Discord numbers a message's components from 1 if the sender gave no ids. */
export function numberComponents(components: readonly Component[]): Component[] {
  const copy = structuredClone([...components]);
  let last = 0;
  for (const { component } of walkComponents(copy, [])) component.id ||= ++last;
  return copy;
}

/** The documented rules that concern more than one field. */
export function* componentIssues(
  components: readonly Component[],
  v2: boolean,
  path: Path,
): Iterable<FormIssue> {
  const placed = [...walkComponents(components, path)];
  yield* countIssues(components, placed, v2, path);
  yield* duplicateIssues(placed);
  for (const { component, path: here } of placed) {
    if (component.type === ComponentType.ActionRow) yield* rowIssues(component, here);
    if (component.type === ComponentType.Button) yield* buttonIssues(component, here);
    if (component.type === ComponentType.StringSelect) yield* selectIssues(component, here);
  }
}

function* countIssues(
  components: readonly Component[],
  placed: readonly PlacedComponent[],
  v2: boolean,
  path: Path,
): Iterable<FormIssue> {
  if (!v2) {
    if (components.length > 5) yield tooMany(path, 5);
    for (const [index, component] of components.entries()) {
      if (component.type === ComponentType.ActionRow) continue;
      const message = "Value must be one of {1}.";
      yield { path: [...path, index, "type"], code: "UNION_TYPE_CHOICES", message };
    }
    return;
  }
  if (placed.length > 40) yield tooMany(path, 40);
  const text = placed.reduce(
    (sum, { component }) =>
      sum + (component.type === ComponentType.TextDisplay ? component.content.length : 0),
    0,
  );
  if (text > 4000) {
    const message = "The total text of a message with components v2 may be 4000 characters.";
    yield { path, code: "COMPONENT_MAX_TOTAL_TEXT_DISPLAY_LENGTH_EXCEEDED", message };
  }
}

function tooMany(path: Path, limit: number): FormIssue {
  return { path, code: "BASE_TYPE_MAX_LENGTH", message: `Must be ${limit} or fewer in length.` };
}

function* duplicateIssues(placed: readonly PlacedComponent[]): Iterable<FormIssue> {
  const customIds = new Set<string>();
  const ids = new Set<number>();
  for (const { component, path } of placed) {
    if ("custom_id" in component && typeof component.custom_id === "string") {
      if (customIds.has(component.custom_id)) {
        const message = "Component custom id cannot be duplicated";
        yield { path: [...path, "custom_id"], code: "COMPONENT_CUSTOM_ID_DUPLICATED", message };
      }
      customIds.add(component.custom_id);
    }
    if (component.id) {
      if (ids.has(component.id)) {
        yield {
          path: [...path, "id"],
          code: "COMPONENT_ID_DUPLICATED",
          message: "Component id cannot be duplicated",
        };
      }
      ids.add(component.id);
    }
  }
}

function* rowIssues(row: ComponentOf<ComponentType.ActionRow>, path: Path): Iterable<FormIssue> {
  const selects = row.components.filter((component) => component.type !== ComponentType.Button).length;
  if (selects > 0 && row.components.length > 1) {
    const message = "An action row holds up to five buttons or one select menu.";
    yield { path: [...path, "components"], code: "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message };
  }
}

function* buttonIssues(button: ComponentOf<ComponentType.Button>, path: Path): Iterable<FormIssue> {
  const present = {
    custom_id: button.custom_id != null,
    url: button.url != null,
    sku_id: button.sku_id != null,
  };
  const needed =
    button.style === ButtonStyle.Link ? "url" : button.style === ButtonStyle.Premium ? "sku_id" : "custom_id";
  for (const field of ["custom_id", "url", "sku_id"] as const) {
    if (field === needed && !present[field]) {
      yield {
        path: [...path, field],
        code: "BASE_TYPE_REQUIRED",
        message: `A ${field} is required for this style`,
      };
    }
    if (field !== needed && present[field]) {
      const message = `A ${field} and a ${needed} cannot both be specified`;
      yield { path: [...path, field], code: "BUTTON_COMPONENT_INVALID_FIELD", message };
    }
  }
  if (button.style !== ButtonStyle.Premium && !button.label && !button.emoji) {
    const message = "A button needs a label or an emoji";
    yield { path: [...path, "label"], code: "BASE_TYPE_REQUIRED", message };
  }
}

export function* selectIssues(
  select: ComponentOf<ComponentType.StringSelect>,
  path: Path,
): Iterable<FormIssue> {
  const count = select.options.length;
  if (
    (select.max_values ?? 1) > count ||
    (select.min_values ?? 1) > Math.min(select.max_values ?? 1, count)
  ) {
    const message = "The number of values does not fit the options.";
    yield { path: [...path, "max_values"], code: "SELECT_COMPONENT_VALUES_INVALID", message };
  }
  const values = new Set<string>();
  for (const [index, option] of select.options.entries()) {
    if (values.has(option.value)) {
      const message = "The specified option value is already used";
      yield {
        path: [...path, "options", index, "value"],
        code: "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
        message,
      };
    }
    values.add(option.value);
  }
}
