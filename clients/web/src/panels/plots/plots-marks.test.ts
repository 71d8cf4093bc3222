// The marks of changes: each text stands beside its own line, and ends before the next one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawMarks } from './marks';
import type { Style } from './style';

const STYLE = { size: 12, accent: 'blue', ink: 'black' } as Style;
const SIGN = 6; // pixels of a letter

/** A pen that remembers what it has written. uPlot, which shares the pen, leaves its texts centred. */
function makePen(): { pen: CanvasRenderingContext2D; texts: { text: string; from: number; to: number; color: string }[] } {
  const texts: { text: string; from: number; to: number; color: string }[] = [];
  const none = (): void => undefined;
  const pen = {
    ...{ textAlign: 'center', fillStyle: '', save: none, restore: none, beginPath: none, moveTo: none, lineTo: none },
    ...{ stroke: none, arc: none, fill: none, setLineDash: none },
    measureText: (text: string) => ({ width: SIGN * text.length }),
    fillText(text: string, x: number) {
      const width = SIGN * text.length;
      const from = pen.textAlign === 'left' ? x : x - width / 2;
      if (text !== '') texts.push({ text, from, to: from + width, color: pen.fillStyle });
    },
  };
  return { pen: pen as unknown as CanvasRenderingContext2D, texts };
}

test('the text of a change stands right of its line, and ends before the next one', () => {
  const { pen, texts } = makePen();
  const marks = [
    { at: 10, text: 'Lobby: Ada: inertia 1 → 1.2', color: 'red' },
    { at: 30, text: 'Other: Ben chose the preset march', color: 'green' },
    { at: 31, text: 'Other: Ben dropped food', color: 'green' },
    { at: 60, text: 'Cem: noise 0 → 5' },
    { at: 130, text: 'after the span' },
  ];
  drawMarks(pen, { span: { from: 0, to: 120 }, marks, shown: null }, { left: 0, top: 20, width: 1200, height: 100, ratio: 1, x: (second) => 10 * second }, STYLE);
  assert.deepEqual(texts.map(({ text, color }) => [text.slice(0, 5), color]), [['Lobby', 'red'], ['Other', 'green'], ['Cem: ', 'blue']]);
  for (const { text, from, to } of texts) {
    const { at } = marks.find((mark) => mark.text.startsWith(text.replace('…', ''))) ?? assert.fail(text);
    const next = marks.find((mark) => mark.at > at)?.at ?? 120;
    assert.ok(from > 10 * at && to < 10 * Math.min(120, next), `${text}: ${from} to ${to}`);
  }
});
