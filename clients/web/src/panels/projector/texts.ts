// Texts about people's names in all languages, loaded with the projector view.

import { type Language, texts } from '../../texts/texts';

const all: Readonly<Record<Language, { hidden: string; shown: string }>> = {
  en: { hidden: 'Names are hidden. H shows them.', shown: 'Names are shown. H hides them.' },
  ja: { hidden: '名前を隠しています。H で表示します。', shown: '名前を表示しています。H で隠します。' },
  ko: { hidden: '이름을 숨겼습니다. H 키로 보입니다.', shown: '이름이 보입니다. H 키로 숨깁니다.' },
  de: { hidden: 'Namen sind ausgeblendet. H blendet sie ein.', shown: 'Namen sind eingeblendet. H blendet sie aus.' },
  es: { hidden: 'Los nombres están ocultos. H los muestra.', shown: 'Los nombres están a la vista. H los oculta.' },
  fr: { hidden: 'Les noms sont masqués. H les affiche.', shown: 'Les noms sont affichés. H les masque.' },
};

export const namesTexts = (): (typeof all)['en'] => all[texts.language as Language];
