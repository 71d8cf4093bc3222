// As much of a page as a module under test asks for, where there is no browser.

/** An element that keeps what it is told. */
export class FakeElement extends EventTarget {
  hidden = false;
  textContent = '';
  value = '';
  selected = false;

  select(): void {
    this.selected = true;
  }
}

const set = (name: string, value: unknown): void =>
  void Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** Makes a page with these elements, by their ids, all of which are buttons. What is dispatched at the result, the window hears. */
export function createPage(elements: Readonly<Record<string, FakeElement>>): EventTarget {
  const window = new EventTarget();
  set('HTMLButtonElement', FakeElement);
  set('HTMLElement', FakeElement);
  set('WheelEvent', { DOM_DELTA_LINE: 1 });
  set('addEventListener', window.addEventListener.bind(window));
  set('document', { getElementById: (id: string) => elements[id] ?? null, execCommand: () => false });
  return window;
}

/** Gives the page a clipboard that keeps what is written in the list, or refuses it. */
export function giveClipboard(written: string[] | null): void {
  const writeText = (text: string): Promise<void> =>
    written === null ? Promise.reject(new Error('not over plain HTTP')) : Promise.resolve(void written.push(text));
  set('navigator', { clipboard: { writeText } });
}

/** An event with these fields. */
export function eventOf(type: string, fields: Readonly<Record<string, unknown>>): Event {
  const event = new Event(type, { cancelable: true });
  for (const [name, value] of Object.entries(fields)) Object.defineProperty(event, name, { value });
  return event;
}
