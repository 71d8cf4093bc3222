// Fills the texts into the HTML, which names them: <p data-text="help.about">. data-title, data-label and data-placeholder name
// the texts of the attributes title, aria-label and placeholder. An empty button of the class `close` gets a cross.

import { texts } from './texts';

const CROSS = '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="m5 5 10 10M15 5 5 15"/></svg>';
const ATTRIBUTES = { title: 'title', label: 'aria-label', placeholder: 'placeholder' } as const;

/** Returns the text of that name, such as help.about; throws if there is none. */
function textNamed(name: string, all: object): string {
  const text = name.split('.').reduce<unknown>((group, key) => (group as Record<string, unknown>)[key], all);
  if (typeof text !== 'string') throw new Error(`there is no text ${name}`);
  return text;
}

/** The text, in which `K` becomes a key. */
export const withKeys = (text: string): (string | HTMLElement)[] =>
  text.split('`').map((part, index) => {
    if (index % 2 === 0) return part;
    const key = document.createElement('kbd');
    key.textContent = part;
    return key;
  });

/** own: groups of texts that only this part of the page has. */
export function fillTexts(root: ParentNode, own: object = {}): void {
  const all = { ...texts, ...own };
  for (const button of root.querySelectorAll<HTMLButtonElement>('.close:empty')) {
    button.type = 'button';
    button.title = button.ariaLabel = texts.common.close;
    button.innerHTML = CROSS;
  }
  for (const element of root.querySelectorAll<HTMLElement>('[data-text]'))
    element.replaceChildren(...withKeys(textNamed(element.dataset['text'] ?? '', all)));
  for (const [data, attribute] of Object.entries(ATTRIBUTES)) {
    for (const element of root.querySelectorAll<HTMLElement>(`[data-${data}]`))
      element.setAttribute(attribute, textNamed(element.dataset[data] ?? '', all));
  }
}
