// The texts of the page, in the language that was chosen. English comes with the page, the others are loaded when chosen.

import { en } from './en';

export type Texts = typeof en;

const LOADERS = {
  en: async (): Promise<Texts> => en,
  ja: async (): Promise<Texts> => (await import('./ja')).ja,
  ko: async (): Promise<Texts> => (await import('./ko')).ko,
};

export type Language = keyof typeof LOADERS;

/** What each language calls itself. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', ja: '日本語', ko: '한국어' };

/** In English until useLanguage() is done: read it when a text is shown, not when a module is loaded. */
export let texts: Texts = en;

/** Takes the language's texts, or English if they cannot be loaded. Returns whether they were loaded. */
export async function useLanguage(language: Language): Promise<boolean> {
  texts = await LOADERS[language]()
    .catch(LOADERS[language])
    .catch(() => en);
  return texts.language === language;
}

/** The first of the wanted languages (such as `ja-JP`) that there is; English when there is none. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const each of wanted) {
    const [language] = each.toLowerCase().split(/[-_]/);
    if (Object.hasOwn(LANGUAGES, language)) return language as Language;
  }
  return 'en';
}

/** As people of that language write it, with so many digits after the point. */
export const number = (value: number, digits = 0): string =>
  value.toLocaleString(texts.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
