// The description of the flock in words, in each language, loaded when a person asks for it.

import type { Language } from './texts';

const en = {
  flock: (count: string, motion: string, spread: string, place: string) => `${count}: ${motion}, ${spread}, ${place}.`,
  target: (place: string) => `The target is ${place}.`,
  atTarget: 'The target is there too.',
  motion: {
    together: 'all fly the same way',
    mostly: 'most fly the same way',
    apart: 'each flies its own way',
    circling: 'they circle',
    still: 'they stand still',
  },
  spread: { close: 'close together', loose: 'loosely together', far: 'far apart' },
  place: {
    topLeft: 'at the top left',
    top: 'at the top',
    topRight: 'at the top right',
    left: 'on the left',
    middle: 'in the middle',
    right: 'on the right',
    bottomLeft: 'at the bottom left',
    bottom: 'at the bottom',
    bottomRight: 'at the bottom right',
    outside: 'outside the window',
  },
};

const ja: typeof en = {
  flock: (count, motion, spread, place) => `${count}。${place}で${spread}、${motion}。`,
  target: (place) => `目標は${place}です。`,
  atTarget: '目標も同じところです。',
  motion: {
    together: 'みな同じ向きに飛んでいます',
    mostly: 'ほとんどが同じ向きに飛んでいます',
    apart: 'ばらばらの向きに飛んでいます',
    circling: '輪になって回っています',
    still: '止まっています',
  },
  spread: { close: '密に集まり', loose: 'ゆるく集まり', far: '大きく広がり' },
  place: {
    topLeft: '左上',
    top: '上',
    topRight: '右上',
    left: '左',
    middle: '中央',
    right: '右',
    bottomLeft: '左下',
    bottom: '下',
    bottomRight: '右下',
    outside: '枠の外',
  },
};

const ko: typeof en = {
  flock: (count, motion, spread, place) => `${count}. ${place}에서 ${spread} ${motion}.`,
  target: (place) => `목표는 ${place}에 있습니다.`,
  atTarget: '목표도 같은 곳에 있습니다.',
  motion: {
    together: '모두 같은 쪽으로 날고 있습니다',
    mostly: '대부분 같은 쪽으로 날고 있습니다',
    apart: '제각각 날고 있습니다',
    circling: '빙빙 돌고 있습니다',
    still: '멈춰 있습니다',
  },
  spread: { close: '빽빽이 모여', loose: '느슨하게 모여', far: '넓게 퍼져' },
  place: {
    topLeft: '왼쪽 위',
    top: '위쪽',
    topRight: '오른쪽 위',
    left: '왼쪽',
    middle: '가운데',
    right: '오른쪽',
    bottomLeft: '왼쪽 아래',
    bottom: '아래쪽',
    bottomRight: '오른쪽 아래',
    outside: '틀 밖',
  },
};

export type Words = typeof en;

export const WORDS: Readonly<Record<Language, Words>> = { en, ja, ko };
