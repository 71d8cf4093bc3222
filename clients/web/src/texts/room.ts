// Texts of what a presenter may do with the room, in all languages, loaded with the presenter's controls.

import type { Language } from './texts';

const en = {
  phone: 'Continue on my phone',
  phoneHide: 'Hide the code',
  phoneAbout: 'Anyone who scans this code is a presenter. Do not show it to the class.',
};

export const roomTexts: Readonly<Record<Language, typeof en>> = {
  en,
  ja: {
    phone: 'スマートフォンで続ける',
    phoneHide: 'コードを隠す',
    phoneAbout: 'このコードを読み取った人は発表者になります。クラスには見せないでください。',
  },
  ko: {
    phone: '휴대전화에서 계속하기',
    phoneHide: '코드 숨기기',
    phoneAbout: '이 코드를 스캔한 사람은 진행자가 됩니다. 학급에는 보여 주지 마세요.',
  },
};
