// Texts of the invitation in all languages, loaded with it.

import { type Language, texts } from '../../texts/texts';

const all = {
  en: { joinKey: (key: string) => `Join key: ${key}`, hide: 'Hide', show: 'Show', setup: 'A new room with these settings, on any flockd' },
  ja: { joinKey: (key: string) => `参加キー：${key}`, hide: '隠す', show: '表示', setup: 'この設定の新しいルーム（どの flockd でも）' },
  ko: { joinKey: (key: string) => `참여 키: ${key}`, hide: '숨기기', show: '보이기', setup: '이 설정의 새 방(어느 flockd에서나)' },
  de: { joinKey: (key: string) => `Kennwort: ${key}`, hide: 'Verbergen', show: 'Zeigen', setup: 'Ein neuer Raum mit diesen Einstellungen, auf jedem flockd' },
  es: { joinKey: (key: string) => `Contraseña: ${key}`, hide: 'Ocultar', show: 'Mostrar', setup: 'Una sala nueva con estos ajustes, en cualquier flockd' },
  fr: { joinKey: (key: string) => `Mot de passe\u00a0: ${key}`, hide: 'Cacher', show: 'Montrer', setup: 'Une nouvelle salle avec ces réglages, sur tout flockd' },
};

export const inviteTexts = (): (typeof all)['en'] => all[texts.language as Language];
