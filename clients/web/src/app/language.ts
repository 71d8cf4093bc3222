// The page's language: the language in the address (?lang=ja), else the one that was chosen before, else the browser's.

import { fillTexts } from '../texts/fill';
import { LANGUAGES, chooseLanguage, texts, useLanguage } from '../texts/texts';
import { byId, make } from './dom';
import { read, write } from './storage';

const PARAMETER = 'lang';
const KEY = 'flock.language';

/** Must be called before the page shows a text. Returns false if the wanted language could not be loaded: then the page is in English. */
export async function startLanguage(): Promise<boolean> {
  const asked = new URLSearchParams(location.search).get(PARAMETER);
  if (asked !== null && Object.hasOwn(LANGUAGES, asked)) storeLanguage(asked);
  const wanted = [asked ?? '', read(() => localStorage, KEY), ...navigator.languages];
  const loaded = await useLanguage(chooseLanguage(wanted));
  document.documentElement.lang = texts.language;
  fillTexts(document);
  return loaded;
}

const storeLanguage = (language: string): void => write(() => localStorage, KEY, language);

/** Fills the list of languages in the page. A choice reloads the page, or both rooms beside each other; the server knows a person in a
 * room again after that. */
export function offerLanguages(): void {
  const choice = byId('language', HTMLSelectElement);
  choice.append(...Object.entries(LANGUAGES).map(([value, name]) => make('option', { value, lang: value }, name)));
  choice.value = texts.language;
  choice.addEventListener('change', () => {
    storeLanguage(choice.value);
    const { location: page, history } = window.top ?? window;
    const next = new URL(page.href);
    next.searchParams.delete(PARAMETER);
    history.replaceState(history.state, '', next);
    page.reload();
  });
}
