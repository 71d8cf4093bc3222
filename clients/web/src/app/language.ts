// The page's language: what the address asks for (?lang=ja), or was chosen here before, or the browser is set to.

import { fillTexts } from '../texts/fill';
import { LANGUAGES, chooseLanguage, texts, useLanguage } from '../texts/texts';
import { byId, make } from './dom';
import { read, write } from './storage';

const PARAMETER = 'lang';
const KEY = 'flock.language';

/** Must be called before a text is shown. Returns whether the page is in the wanted language: else it is in English. */
export async function startLanguage(): Promise<boolean> {
  const asked = new URLSearchParams(location.search).get(PARAMETER);
  if (asked !== null && Object.hasOwn(LANGUAGES, asked)) keep(asked);
  const wanted = [asked ?? '', read(() => localStorage, KEY), ...navigator.languages];
  const loaded = await useLanguage(chooseLanguage(wanted));
  document.documentElement.lang = texts.language;
  fillTexts(document);
  return loaded;
}

const keep = (language: string): void => write(() => localStorage, KEY, language);

/** Fills the choice of languages in the page. Choosing one loads the page again; a person in a room comes back as the same
 * person. */
export function offerLanguages(): void {
  const choice = byId('language', HTMLSelectElement);
  choice.append(...Object.entries(LANGUAGES).map(([value, name]) => make('option', { value, lang: value }, name)));
  choice.value = texts.language;
  choice.addEventListener('change', () => {
    keep(choice.value);
    const next = new URL(location.href);
    next.searchParams.delete(PARAMETER);
    history.replaceState(history.state, '', next);
    location.reload();
  });
}
