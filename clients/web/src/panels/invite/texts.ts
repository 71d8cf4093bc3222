// Texts of the invitation in all languages, loaded with it.

import { type Language, texts } from '../../texts/texts';

const all = {
  en: { joinKey: (key: string) => `Join key: ${key}`, hide: 'Hide', show: 'Show' },
  ja: { joinKey: (key: string) => `参加キー：${key}`, hide: '隠す', show: '表示' },
  ko: { joinKey: (key: string) => `참여 키: ${key}`, hide: '숨기기', show: '보이기' },
  de: { joinKey: (key: string) => `Kennwort: ${key}`, hide: 'Verbergen', show: 'Zeigen' },
  es: { joinKey: (key: string) => `Contraseña: ${key}`, hide: 'Ocultar', show: 'Mostrar' },
  fr: { joinKey: (key: string) => `Mot de passe\u00a0: ${key}`, hide: 'Cacher', show: 'Montrer' },
};

export const inviteTexts = (): (typeof all)['en'] => all[texts.language as Language];
