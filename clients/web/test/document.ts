// A page without a browser: happy-dom's window. Its names are globals for the modules under test.

import { GlobalWindow } from 'happy-dom';

type Page = globalThis.Window & typeof globalThis;

const GLOBALS = [
  ...['document', 'navigator', 'addEventListener', 'removeEventListener', 'WheelEvent'],
  'ResizeObserver',
  ...['HTMLElement', 'HTMLButtonElement', 'HTMLDetailsElement', 'HTMLInputElement', 'HTMLTemplateElement'],
];

export const set = (name: string, value: unknown): void =>
  void Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** Replaces the page by a new one with that body. */
export function createPage(body = ''): Page {
  const page = new GlobalWindow({ url: 'http://localhost:8390/r/lobby' }) as unknown as Page;
  page.document.body.innerHTML = body;
  for (const name of GLOBALS) {
    const value: unknown = Reflect.get(page, name);
    set(name, typeof value === 'function' && /^[a-z]/.test(name) ? value.bind(page) : value);
  }
  return page;
}

/** Returns the first element below that matches the selector. Throws if there is none. */
export function find<T extends Element = HTMLElement>(below: ParentNode, selector: string): T {
  const found = below.querySelector<T>(selector);
  if (found === null) throw new Error(`nothing matches ${selector}`);
  return found;
}

export const inputsIn = (element: Element): HTMLInputElement[] => [...element.querySelectorAll('input')];

/** The result of an event: whether a listener prevented its default, and whether it arrived at the window. */
export interface Dispatched {
  prevented: boolean;
  arrived: boolean;
}

/** Dispatches an event with these fields at an element. */
export function fire(element: EventTarget, type: string, fields: Readonly<Record<string, unknown>> = {}): Dispatched {
  const { defaultView } = document;
  if (defaultView === null) throw new Error('the document has no window');
  const event = new defaultView.Event(type, { bubbles: true, cancelable: true });
  for (const [name, value] of Object.entries(fields)) Object.defineProperty(event, name, { value });
  let arrived = false;
  const arrive = (): void => void (arrived = true);
  defaultView.addEventListener(type, arrive);
  element.dispatchEvent(event);
  defaultView.removeEventListener(type, arrive);
  return { prevented: event.defaultPrevented, arrived };
}
