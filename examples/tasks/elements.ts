/// <reference lib="dom" />
/**
 * The elements of the page. Text is inserted as text, never as HTML.
 *
 * @module
 */

export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className !== "") element.className = className;
  element.append(...children);
  return element;
}

export function createButton(className: string, text: string, press: () => unknown): HTMLButtonElement {
  const button = createElement("button", className, text);
  button.type = "button";
  button.addEventListener("click", press);
  return button;
}

export function find<Kind extends Element>(selector: string, kind: new () => Kind): Kind {
  const element = document.querySelector(selector);
  if (element instanceof kind) return element;
  throw new Error(`The page must contain ${selector}`);
}
