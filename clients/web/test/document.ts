// A page without a browser: happy-dom's window, whose names the modules under test find as globals.

import { Window } from 'happy-dom';

type Page = globalThis.Window & typeof globalThis;

const GLOBALS = [
  ...['document', 'navigator', 'addEventListener', 'removeEventListener', 'WheelEvent'],
  ...['HTMLElement', 'HTMLButtonElement', 'HTMLInputElement', 'HTMLTemplateElement'],
];

export const set = (name: string, value: unknown): void =>
  void Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** Makes a page with that body in place of the one before. */
export function createPage(body = ''): Page {
  const page = new Window({ url: 'http://localhost:8390/r/lobby' }) as unknown as Page;
  page.document.body.innerHTML = body;
  for (const name of GLOBALS) {
    const value: unknown = Reflect.get(page, name);
    set(name, typeof value === 'function' && /^[a-z]/.test(name) ? value.bind(page) : value);
  }
  return page;
}

/** The first element below that one which matches the selector. */
export function find<T extends Element = HTMLElement>(below: ParentNode, selector: string): T {
  const found = below.querySelector<T>(selector);
  if (found === null) throw new Error(`nothing matches ${selector}`);
  return found;
}

export const inputsIn = (element: Element): HTMLInputElement[] => [...element.querySelectorAll('input')];

/** How an event went: whether its default was prevented, and whether it arrived at the window. */
export interface Dispatched {
  prevented: boolean;
  arrived: boolean;
}

/** An event with these fields happens at an element. */
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
