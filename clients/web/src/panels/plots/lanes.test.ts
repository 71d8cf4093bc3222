// The measures by time: what is drawn where. The pen of the canvas writes down its texts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find, set } from '../../../test/document';
import { measureOf } from './columns';
import type { Style } from './style';

interface Written {
  text: string;
  x: number;
  align: unknown;
}

const STYLE = { size: 12, ink: '#000', quiet: '#000', line: '#000', ground: '#fff', accent: '#00f', lines: ['#00f'] } as unknown as Style;
const WIDTH = 800;

/** Draws two minutes with a change after one minute. Returns the texts. The language is WebKit's on a system without one. */
async function draw(): Promise<Written[]> {
  const page = createPage('<div id="host"></div>');
  const written: Written[] = [];
  const state: Record<string, unknown> = {};
  const pen = new Proxy(state, {
    get: (_, name) => {
      if (name === 'fillText') return (text: string, x: number) => void written.push({ text, x, align: state['textAlign'] });
      if (name === 'measureText') return (text: string) => ({ width: 7 * text.length });
      return name in state ? state[name as string] : () => undefined;
    },
  });
  Object.assign(page.HTMLCanvasElement.prototype, { getContext: () => Object.assign(pen, { canvas: { width: WIDTH, height: 200 } }) });
  for (const [name, value] of Object.entries({ window: page, matchMedia: () => page.document.createElement('p'), devicePixelRatio: 1, Event: page.Event, Path2D: class { moveTo(): void {} lineTo(): void {} arc(): void {} rect(): void {} } })) set(name, value);
  set('navigator', { language: 'C' });
  const host = find(document, '#host');
  for (const [name, value] of [['clientWidth', WIDTH], ['clientHeight', 200]] as const) Object.defineProperty(host, name, { value });
  const { createLanes } = await import('./lanes');
  const nothing = (): void => undefined;
  const lanes = createLanes({
    ...{ host, measures: [measureOf('polarization')], names: ['Polarization'], inks: ['#00f'], style: STYLE, onSelect: nothing, onPoint: nothing },
    lines: [{ colors: ['#00f'], dashed: false }],
  });
  lanes.draw({
    table: { seconds: [0, 60, 120], values: [[0, 1, 0.5]] },
    ...{ span: { from: 0, to: 120 }, marks: [{ at: 60, text: 'Ada: noise 0 → 5' }], shown: null },
  });
  await new Promise((resolve) => setTimeout(resolve, 0)); // uPlot draws in a microtask
  return written;
}

test('the plots open on a system whose language no browser knows', async () => {
  await assert.doesNotReject(draw);
});

test('the text of a change begins right of its mark, and the last time is inside the picture', async () => {
  const written = await draw();
  const change = written.find(({ text }) => text.startsWith('Ada'));
  const middle = written.find(({ text }) => text === '1:00');
  const last = written.find(({ text }) => text === '2:00');
  assert.ok(change !== undefined && middle !== undefined && last !== undefined, JSON.stringify(written));
  assert.ok(change.align === 'left' && change.x > middle.x && change.x < middle.x + 20, JSON.stringify([change, middle]));
  assert.ok(last.align === 'center' && last.x + 14 <= WIDTH, JSON.stringify(last));
});
