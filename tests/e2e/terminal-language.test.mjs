// flock-term in other languages: chosen by the environment or an option, and laid out by the widths of their letters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from './server.mjs';
import { openTerminal } from './terminal.mjs';

const KEY = 'abcdefgh1';
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
const columnsOf = (text) => [...text].reduce((columns, letter) => columns + (WIDE.test(letter) ? 2 : 1), 0);

const text = (lines) => lines.join('\n');

// The columns of a symbol in all rows that have it.
const columnsWith = (lines, symbol) => [...new Set(lines.filter((line) => line.includes(symbol)).map((line) => columnsOf(line.slice(0, line.lastIndexOf(symbol)))))];

async function begin(t, options, ...args) {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const terminal = await openTerminal(t, options);
  await terminal.start('--key', KEY, ...args, server.ws);
  return { server, terminal };
}

// The panel and the help have straight edges, with letters of one column and of two.
async function look(terminal, words) {
  await terminal.until('the flock is live', (lines) => lines.at(-1).includes(words.live));
  await terminal.key('p');
  // The screen may be read while the panel is drawn.
  const panel = await terminal.until(`the panel with ${words.panel.join(', ')}`, (lines) => [words.controls, ...words.panel].every((word) => text(lines).includes(word)) && lines);
  assert.deepEqual(columnsWith(panel.slice(0, -1), '│').length, 1, text(panel));
  await terminal.key('?');
  const help = await terminal.until('the help', (lines) => text(lines).includes(words.help) && lines);
  assert.equal(columnsWith(help.slice(1, -2), '│').length, 1, text(help));
  for (const line of [...panel, ...help]) assert.ok(columnsOf(line.trimEnd()) <= terminal.columns, line);
  await terminal.key('?');
  await terminal.until('no help', (lines) => !text(lines).includes(words.help));
  await terminal.key('p');
  await terminal.until('no panel', (lines) => !text(lines).includes(words.panel[0]));
}

test('the environment chooses Japanese, although its locale is not installed', async (t) => {
  const { terminal } = await begin(t, { columns: 80, rows: 24, locale: 'ja_JP.UTF-8' });
  await look(terminal, { live: 'ライブ', controls: '操作パネル', panel: ['プリセット', '‹ スウォーム ›', '単位'], help: 'カーソルを動かす' });
});

test('Korean fits into a small window, and news are in it', async (t) => {
  const { terminal, server } = await begin(t, { columns: 80, rows: 24, locale: 'ko_KR.UTF-8' });
  await look(terminal, { live: '라이브', controls: '제어판', panel: ['프리셋', '모델'], help: '커서 움직이기' });
  await terminal.key('u');
  await terminal.until('a refusal in Korean', (lines) => lines.at(-1).includes('되돌릴 변경이 없습니다'));
  await terminal.key('R');
  await terminal.until('news in Korean', (lines) => lines.at(-1).includes('내가 무리를 처음부터 다시 시작했습니다'));
  await terminal.resize(40, 12);
  await terminal.key('?');
  const help = await terminal.until('the help', (lines) => text(lines).includes('이끌기') && lines);
  assert.equal(columnsWith(help.slice(1, -2), '│').length, 1, text(help));
  await terminal.key('q');
  await server.stop();
  await terminal.until('the lost connection in Korean', (lines) => lines.at(-1).includes('연결 없음'));
});

test('an option chooses German, and an unknown language is refused', async (t) => {
  const { terminal } = await begin(t, { columns: 80, rows: 24 }, '--lang', 'de');
  await look(terminal, { live: 'live', controls: 'Steuerung  ', panel: ['Vorlage', '‹ Schwarm ›', 'Einh'], help: 'deinen Zeiger bewegen' });
  await terminal.key('q');
  await terminal.until('the shell asks', (lines) => lines.some((line) => line.trimEnd() === '$'));
  assert.match(text(await terminal.command('flock-term --lang tlh')), /--lang: .*auto, en, de, es, fr, ja, ko|--lang.*auto/);
});

test('without UTF-8 the texts are English', async (t) => {
  const { terminal } = await begin(t, { columns: 80, rows: 24, locale: 'C' }, '--lang', 'ko');
  await terminal.until('it says so', (lines) => /live .*ASCII only/.test(lines.at(-1)));
});
