// The panel of looks: the page says what boids' colours mean, and the leaders' colours come back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find, set } from '../../../test/document';
import { room } from '../../../test/samples';
import { type Looks, createLooks } from '../../app/looks';
import type { Choice } from '../../draw/look';
import type { ThemeName } from '../../app/theme';
import type { Context } from '../../app/context';
import type { Scene, Tint } from '../../draw/scene';
import html from './index.html';
import { mount } from './index';

const LEADERS: Tint = { colors: [[1, 0, 0]], of: () => new Uint8Array() };

function setUp(kept: Choice, mode: { leaders: Tint | null } = { leaders: null }) {
  createPage(`${html}<canvas id="canvas"></canvas><canvas id="overlay"></canvas>`);
  const pen = new Proxy({}, { get: () => () => ({ addColorStop: () => undefined }), set: () => true });
  Object.assign(document.createElement('canvas').constructor.prototype as object, { getContext: () => pen });
  set('Path2D', class { moveTo(): void {} quadraticCurveTo(): void {} });
  set('HTMLCanvasElement', document.defaultView?.HTMLCanvasElement);
  const choices: Choice[] = [];
  const looks: Looks = createLooks({ look: () => kept, keepLook: (choice) => void choices.push(choice) });
  const theme = { chosen: null as ThemeName | null };
  const shown: string[] = [];
  const layersKept: Record<string, boolean> = { 'layer-trails': false };
  const here = room({ look: { shape: 'sheep', size: 25 } });
  const view = mount({
    looks,
    theme: { now: () => 'dark', chosen: () => theme.chosen, choose: (next: ThemeName | null) => (theme.chosen = next), next: () => undefined },
    tint: { of: () => mode.leaders },
    dock: { isOpen: () => true, toggle: () => undefined, open: () => undefined },
    layers: { show: (name: string, on: boolean) => void shown.push(`${name} ${on}`) },
    settings: { wasOpen: (id: string) => layersKept[id] ?? null, keepOpen: (id: string, _: string, open: boolean) => (layersKept[id] = open) },
    model: { room: () => here },
  } as unknown as Context);
  const frame = (): void => {
    const { shape, coloring } = looks.drawn(here);
    view.frame?.({ theme: 'dark', shape, coloring, tint: looks.tint(mode.leaders) } as Scene);
  };
  const radio = (part: string, value: string): HTMLInputElement => find(document, `#looks-${part} input[value="${value}"]`) as HTMLInputElement;
  const choose = (part: string, value: string): void => {
    radio(part, value).checked = true;
    radio(part, value).dispatchEvent(new (document.defaultView as Window & typeof globalThis).Event('change'));
    frame();
  };
  const said = (): string => find(document, '#looks-key').textContent ?? '';
  const hides = (): boolean => !(find(document, '#looks-hidden') as HTMLElement).hidden;
  frame();
  return { looks, choices, theme, frame, choose, radio, said, hides, shown, layersKept };
}

test('with a class mode boids have the leaders’ colours, unless this person chose a colouring; the page says which, and offers them again', () => {
  const mode: { leaders: Tint | null } = { leaders: null };
  const { looks, choices, frame, choose, radio, said, hides } = setUp({ shape: null, coloring: null }, mode);
  assert.match(said(), /^Which boid it is/);
  mode.leaders = LEADERS;
  frame();
  assert.match(said(), /^Leader/);
  assert.ok(radio('coloring', '').checked && !hides());
  choose('coloring', 'speed');
  assert.equal(looks.tint(LEADERS), null);
  assert.match(said(), /^Speed/);
  assert.ok(hides(), 'the page says that the choice hides the leaders’ colours');
  mode.leaders = null;
  frame();
  assert.ok(!hides(), 'without leaders it hides none');
  mode.leaders = LEADERS;
  choose('coloring', '');
  assert.equal(looks.tint(LEADERS), LEADERS);
  assert.match(said(), /^Leader/);
  assert.deepEqual(choices.at(-1), { shape: null, coloring: null }, 'and it is kept');
});

test('a colouring of an earlier visit is marked, and can be given back', () => {
  const { radio, choose, looks, hides } = setUp({ shape: 'bee', coloring: 'neighbours' }, { leaders: LEADERS });
  assert.ok(radio('coloring', 'neighbours').checked && radio('shape', 'bee').checked && hides());
  choose('coloring', '');
  assert.deepEqual(looks.chosen(), { shape: 'bee', coloring: null });
});

test('the panel shows and changes the theme', () => {
  const { theme, radio, choose, frame } = setUp({ shape: null, coloring: null });
  assert.ok(radio('theme', '').checked, 'as the system');
  choose('theme', 'light');
  assert.equal(theme.chosen, 'light');
  theme.chosen = 'dark'; // by the key
  frame();
  assert.ok(radio('theme', 'dark').checked);
});

test('layers over the flock are switched on and off, and the browser remembers them', () => {
  const { shown, layersKept } = setUp({ shape: null, coloring: null });
  const inputs = [...find(document, '#looks-layers').querySelectorAll('input')];
  assert.deepEqual(
    inputs.map((each) => [each.parentElement?.textContent, each.checked]),
    [
      ['Trails', false],
      ['Target', true],
      ['Density', false],
      ['Links between neighbours', false],
      ['Rules while a slider moves', true],
    ],
  );
  inputs[3].checked = true;
  inputs[3].dispatchEvent(new (document.defaultView as Window & typeof globalThis).Event('change'));
  assert.deepEqual([shown, layersKept['layer-links']], [['links true'], true]);
});
