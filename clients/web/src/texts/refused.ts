// Why the server does not do what it was asked over HTTP, in all languages: for the start page, and for what presenters do.

import { type Language, number } from './texts';

const en = {
  silent: 'The server does not answer. Try again in a moment.',
  key: 'That is not the server’s key.',
  full: 'The server has as many rooms, or boids in them, as it can take. Try again when a room has ended.',
  tooMany: (minutes: number) =>
    `Too many rooms were created from here. Try again in ${minutes > 1 ? `${number(minutes)} minutes` : 'a minute'}.`,
  other: (status: number) => `The server refused (${status}).`,
  file: (why: string) => `The file cannot be opened: ${why}.`,
  large: 'The file is larger than this server takes.',
};

export const refusedTexts: Readonly<Record<Language, typeof en>> = {
  en,
  ja: {
    silent: 'サーバーから返事がありません。少し待ってから、もう一度お試しください。',
    key: 'サーバーのキーが違います。',
    full: 'サーバーのルームまたはボイドの数が上限に達しています。ほかのルームが終わってから、もう一度お試しください。',
    tooMany: (minutes) => `ここから作られたルームが多すぎます。${number(minutes)} 分後にもう一度お試しください。`,
    other: (status) => `サーバーに拒否されました（${status}）。`,
    file: (why) => `ファイルを開けません: ${why}`,
    large: 'ファイルがこのサーバーの上限より大きいです。',
  },
  ko: {
    silent: '서버가 응답하지 않습니다. 잠시 뒤에 다시 해 보세요.',
    key: '서버 키가 아닙니다.',
    full: '서버에 방이나 보이드를 더 만들 수 없습니다. 다른 방이 끝난 뒤에 다시 해 보세요.',
    tooMany: (minutes) => `여기에서 방을 너무 많이 만들었습니다. ${number(minutes)}분 뒤에 다시 해 보세요.`,
    other: (status) => `서버가 거절했습니다(${status}).`,
    file: (why) => `파일을 열 수 없습니다: ${why}`,
    large: '파일이 이 서버가 받는 크기보다 큽니다.',
  },
};
