// As much of a document as make() in dom.ts and what listens to its elements ask for, where there is no browser.

type Listener = (event: FakeEvent) => void;

export interface FakeEvent {
  type: string;
  target: FakeNode;
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  preventDefault(): void;
  stopPropagation(): void;
}

/** How an event went: whether its default was prevented, and whether it came out at the top. */
export interface Dispatched {
  prevented: boolean;
  arrived: boolean;
}

/** An element that keeps what it is told. */
export class FakeNode {
  parent: FakeNode | null = null;
  children: (FakeNode | string)[] = [];
  attributes = new Map<string, string>();
  hidden = false;
  disabled = false;
  checked = false;
  selected = false;
  value = '';
  readonly classes = new Set<string>();
  readonly styles = new Map<string, string>();
  readonly tag: string;
  private readonly listeners: [type: string, run: Listener][] = [];

  constructor(tag: string) {
    this.tag = tag;
  }

  get id(): string {
    return this.attributes.get('id') ?? '';
  }
  get valueAsNumber(): number {
    return Number(this.value);
  }
  get textContent(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.textContent)).join('');
  }
  set textContent(text: string) {
    this.children = text === '' ? [] : [text];
  }
  readonly classList = { toggle: (name: string, on: boolean): void => void (on ? this.classes.add(name) : this.classes.delete(name)) };
  readonly style = { setProperty: (name: string, value: string): void => void this.styles.set(name, value) };

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
    if (name === 'hidden') this.hidden = true;
    if (name === 'value') this.value = value;
  }
  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }
  append(...children: (FakeNode | string)[]): void {
    for (const child of children) if (typeof child !== 'string') child.parent = this;
    this.children.push(...children);
  }
  replaceChildren(...children: (FakeNode | string)[]): void {
    this.children = [];
    this.append(...children);
  }
  focus(): void {
    page.focused = this;
    this.hear('focus');
  }
  select(): void {
    this.selected = true;
  }
  click(): void {
    this.hear('click');
  }
  addEventListener(type: string, run: Listener): void {
    this.listeners.push([type, run]);
  }

  /** An event happens at it, and at what it is in. */
  hear(type: string, fields: Partial<FakeEvent> = {}): Dispatched {
    const went = { prevented: false, arrived: true };
    const event: FakeEvent = {
      ...{ type, target: this, key: '', ctrlKey: false, metaKey: false, altKey: false, ...fields },
      preventDefault: () => (went.prevented = true),
      stopPropagation: () => (went.arrived = false),
    };
    for (let at: FakeNode | null = this; at !== null && went.arrived; at = at.parent)
      for (const [heard, run] of at.listeners) if (heard === type) run(event);
    return went;
  }

  /** All below it that are such. */
  all(is: (node: FakeNode) => boolean): FakeNode[] {
    const below = this.children.filter((child): child is FakeNode => typeof child !== 'string');
    return below.flatMap((child) => [...(is(child) ? [child] : []), ...child.all(is)]);
  }
  tagged(tag: string): FakeNode[] {
    return this.all((node) => node.tag === tag);
  }
  /** The first below it with that class. */
  classed(name: string): FakeNode {
    const [found] = this.all((node) => node.getAttribute('class') === name);
    if (found === undefined) throw new Error(`nothing of the class ${name}`);
    return found;
  }
}

class FakeInput extends FakeNode {}

/** What has the focus. */
export const page: { focused: FakeNode | null } = { focused: null };

export const set = (name: string, value: unknown): void =>
  void Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** Makes the document. What is dispatched at the result, the window hears. */
export function createDocument(): EventTarget {
  const window = new EventTarget();
  const createElement = (tag: string): FakeNode => (tag === 'input' ? new FakeInput(tag) : new FakeNode(tag));
  set('HTMLInputElement', FakeInput);
  set('addEventListener', window.addEventListener.bind(window));
  set('removeEventListener', window.removeEventListener.bind(window));
  set('document', { createElement, createElementNS: (_: string, tag: string) => createElement(tag) });
  return window;
}

/** What make() has made, as the fake that it is. */
export const fake = (element: unknown): FakeNode => element as FakeNode;
