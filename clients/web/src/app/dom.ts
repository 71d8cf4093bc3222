// Finds and makes elements of the page.

export function byId<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`index.html has no <${type.name}> with the id ${id}`);
}

export const hex = (color: number): string => `#${color.toString(16).padStart(6, '0')}`;

export const setText = (element: Element, text: string): void => {
  if (element.textContent !== text) element.textContent = text;
};

/** Makes an element. */
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
 * Sets the page's style property to the element's height plus 4 px, or to 0 while the element is hidden. Elements above it use the
 * property. It is set in the next frame, because WebKit reports an error if an observer changes the layout.
 */
export function keepHeight(element: HTMLElement, property: string): void {
  new ResizeObserver(() =>
    requestAnimationFrame(() => {
      const height = element.offsetHeight;
      document.documentElement.style.setProperty(property, `${height && height + 4}px`);
    }),
  ).observe(element);
}
