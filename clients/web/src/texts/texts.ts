// The page's texts in the chosen language. English is part of the page; the others are loaded when chosen.

import { type Texts, en } from './en';

const LOADERS = {
  en: async (): Promise<Texts> => en,
  de: async (): Promise<Texts> => (await import('./de')).de,
  es: async (): Promise<Texts> => (await import('./es')).es,
  fr: async (): Promise<Texts> => (await import('./fr')).fr,
  ja: async (): Promise<Texts> => (await import('./ja')).ja,
  ko: async (): Promise<Texts> => (await import('./ko')).ko,
};

export type Language = keyof typeof LOADERS;

/** The languages' own names. */
export const LANGUAGES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
  ko: '한국어',
};

/** In English until useLanguage() is done: read it when a text is shown, not when a module is loaded. */
export let texts: Texts = en;

/** Takes the language's texts, or English if they cannot be loaded. Returns whether they were loaded. */
export async function useLanguage(language: Language): Promise<boolean> {
  texts = await LOADERS[language]()
    .catch(LOADERS[language])
    .catch(() => en);
  return texts.language === language;
}

/** Returns the first wanted language (such as `ja-JP`) that the page has, or English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const each of wanted) {
    const [language] = each.toLowerCase().split(/[-_]/);
    if (Object.hasOwn(LANGUAGES, language)) return language as Language;
  }
  return 'en';
}

/** One passage of a title and what belongs to it. */
export const joined = (title: string, text: string): string =>
  (text === '' ? title : texts.news.joined(title, text)).replace(/([.!?…。！？])[.。]$/, '$1');

/** Formats a value for a field: with all decimals of a parameter, and without groups of digits. */
export const exact = (value: number): string => value.toLocaleString(texts.language, { maximumSignificantDigits: 6, useGrouping: false });

const formats = new Map<string, Intl.NumberFormat>(); // by language and decimals: making one takes long

/** Formats a number for the language, with `digits` decimals. */
export function number(value: number, digits = 0): string {
  const key = `${texts.language} ${digits}`;
  const found = formats.get(key) ?? new Intl.NumberFormat(texts.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  formats.set(key, found);
  return found.format(value);
}

/** Formats a measure, with four characters if possible, so that the width does not jump. */
export function written(value: number): string {
  const size = Math.abs(value);
  return number(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}
