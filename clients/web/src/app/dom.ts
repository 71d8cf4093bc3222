// The page's elements by their ids, with their types checked once, at start.

export function byId<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`index.html has no <${type.name}> with the id ${id}`);
}

export const hex = (color: number): string => `#${color.toString(16).padStart(6, '0')}`;

export const setText = (element: Element, text: string): void => {
  if (element.textContent !== text) element.textContent = text;
};

/** A new element. An attribute of an empty text is there, without a value. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * Keeps the height of an element, and 4 px more, in that property of the page's style: what stands above it. 0 while it is hidden.
 * The page is laid out again in the next frame: inside the observer, WebKit reports an error.
 */
export function keepHeight(element: HTMLElement, property: string): void {
  new ResizeObserver(() =>
    requestAnimationFrame(() => {
      const height = element.offsetHeight;
      document.documentElement.style.setProperty(property, `${height && height + 4}px`);
    }),
  ).observe(element);
}
