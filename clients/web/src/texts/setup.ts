// The text of the start page for a link with settings, in all languages.

import { type Language, texts } from './texts';

export const SETUP_TEXTS: Readonly<Record<Language, (settings: string) => string>> = {
  en: (settings) => `The new room has the settings of the link: ${settings}`,
  ja: (settings) => `新しいルームはリンクの設定で始まります：${settings}`,
  ko: (settings) => `새 방은 링크의 설정으로 시작합니다: ${settings}`,
  de: (settings) => `Der neue Raum hat die Einstellungen des Links: ${settings}`,
  es: (settings) => `La nueva sala tiene los ajustes del enlace: ${settings}`,
  fr: (settings) => `La nouvelle salle a les réglages du lien\u00a0: ${settings}`,
};

export const setupText = (settings: string): string => SETUP_TEXTS[texts.language as Language](settings);
