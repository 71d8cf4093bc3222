// Texts of a presenter's actions on people in all languages, loaded with them.

import { type Language, texts } from '../../texts/texts';

const all = {
  en: {
    appoint: 'Make presenter',
    dismiss: 'Make viewer',
    spotlight: 'Spotlight',
    spotlightOff: 'Spotlight off',
    rename: 'Rename…',
    renameNow: 'Rename',
    newName: 'New name',
    remove: 'Remove…',
    removeNow: 'Remove',
    removeAndClose: 'Remove, and close the door',
  },
  ja: {
    appoint: '発表者にする',
    dismiss: '参加者に戻す',
    spotlight: 'スポットライト',
    spotlightOff: 'スポットライトを消す',
    rename: '名前を変える…',
    renameNow: '変える',
    newName: '新しい名前',
    remove: '退出させる…',
    removeNow: '退出させる',
    removeAndClose: '退出させて入室を締め切る',
  },
  ko: {
    appoint: '진행자로 정하기',
    dismiss: '참여자로 바꾸기',
    spotlight: '스포트라이트',
    spotlightOff: '스포트라이트 끄기',
    rename: '이름 바꾸기…',
    renameNow: '바꾸기',
    newName: '새 이름',
    remove: '내보내기…',
    removeNow: '내보내기',
    removeAndClose: '내보내고 입장 마감',
  },
};

export const actionTexts = (): (typeof all)['en'] => all[texts.language as Language];
