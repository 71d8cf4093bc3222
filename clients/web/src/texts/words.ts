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

const de: typeof en = {
  flock: (count, motion, spread, place) => `${count}: ${motion}, ${spread}, ${place}.`,
  target: (place) => `Das Ziel ist ${place}.`,
  atTarget: 'Dort ist auch das Ziel.',
  motion: {
    together: 'alle fliegen in dieselbe Richtung',
    mostly: 'die meisten fliegen in dieselbe Richtung',
    apart: 'jeder fliegt seinen eigenen Weg',
    circling: 'sie kreisen',
    still: 'sie stehen still',
  },
  spread: { close: 'dicht beisammen', loose: 'locker beisammen', far: 'weit verstreut' },
  place: {
    topLeft: 'oben links',
    top: 'oben',
    topRight: 'oben rechts',
    left: 'links',
    middle: 'in der Mitte',
    right: 'rechts',
    bottomLeft: 'unten links',
    bottom: 'unten',
    bottomRight: 'unten rechts',
    outside: 'außerhalb des Fensters',
  },
};

const es: typeof en = {
  flock: (count, motion, spread, place) => `${count}: ${motion}, ${spread}, ${place}.`,
  target: (place) => `El objetivo está ${place}.`,
  atTarget: 'El objetivo también está ahí.',
  motion: {
    together: 'todos vuelan en la misma dirección',
    mostly: 'la mayoría vuela en la misma dirección',
    apart: 'cada uno vuela a su aire',
    circling: 'dan vueltas',
    still: 'están quietos',
  },
  spread: { close: 'muy juntos', loose: 'algo sueltos', far: 'muy separados' },
  place: {
    topLeft: 'arriba a la izquierda',
    top: 'arriba',
    topRight: 'arriba a la derecha',
    left: 'a la izquierda',
    middle: 'en el centro',
    right: 'a la derecha',
    bottomLeft: 'abajo a la izquierda',
    bottom: 'abajo',
    bottomRight: 'abajo a la derecha',
    outside: 'fuera de la ventana',
  },
};

const fr: typeof en = {
  flock: (count, motion, spread, place) => `${count}\u00a0: ${motion}, ${spread}, ${place}.`,
  target: (place) => `La cible est ${place}.`,
  atTarget: 'La cible y est aussi.',
  motion: {
    together: 'tous volent dans le même sens',
    mostly: 'la plupart volent dans le même sens',
    apart: 'chacun vole de son côté',
    circling: 'ils tournent en rond',
    still: 'ils sont immobiles',
  },
  spread: { close: 'très serrés', loose: 'peu serrés', far: 'très dispersés' },
  place: {
    topLeft: 'en haut à gauche',
    top: 'en haut',
    topRight: 'en haut à droite',
    left: 'à gauche',
    middle: 'au milieu',
    right: 'à droite',
    bottomLeft: 'en bas à gauche',
    bottom: 'en bas',
    bottomRight: 'en bas à droite',
    outside: 'hors de la fenêtre',
  },
};

export type Words = typeof en;

export const WORDS: Readonly<Record<Language, Words>> = { en, de, es, fr, ja, ko };
