// The texts of the timeline in all languages, which come with it when it is loaded.

import type { Language } from './texts';

const en = {
  moment: 'Moment',
  seconds: (seconds: string) => `${seconds} s before now`,
  earlier: 'One tick earlier',
  later: 'One tick later',
  backwards: 'Backwards',
  forwards: 'Forwards',
  stop: 'Stop',
  speed: 'Speed',
  live: 'Back to now',
  resume: 'Go on from here',
  resumeAbout: 'The flock goes on from this moment, with the parameters that it had',
};

export const pastTexts: Readonly<Record<Language, typeof en>> = {
  en,
  ja: {
    moment: '時点',
    seconds: (seconds: string) => `今から ${seconds} 秒前`,
    earlier: '1ティック前',
    later: '1ティック後',
    backwards: '逆再生',
    forwards: '再生',
    stop: '停止',
    speed: '速さ',
    live: '今に戻る',
    resume: 'ここから続ける',
    resumeAbout: '群れはこの時点から、その時のパラメータで続く',
  },
  ko: {
    moment: '시점',
    seconds: (seconds: string) => `지금부터 ${seconds}초 전`,
    earlier: '한 틱 앞',
    later: '한 틱 뒤',
    backwards: '거꾸로',
    forwards: '재생',
    stop: '정지',
    speed: '빠르기',
    live: '지금으로 돌아가기',
    resume: '여기서 이어 가기',
    resumeAbout: '무리가 이 시점부터 그때의 매개변수로 이어집니다',
  },
};
