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
import type { Request } from '../../net/protocol';

const LEADERS: Tint = { colors: [[1, 0, 0]], of: () => new Uint8Array() };

function setUp(kept: Choice, mode: { leaders: Tint | null } = { leaders: null }) {
  createPage(`${html}<div id="stage"><canvas></canvas></div>`);
  const pen = new Proxy({}, { get: () => () => ({ addColorStop: () => undefined }), set: () => true });
  Object.assign(document.createElement('canvas').constructor.prototype as object, { getContext: () => pen });
  set('Path2D', class { moveTo(): void {} quadraticCurveTo(): void {} });
  set('HTMLCanvasElement', document.defaultView?.HTMLCanvasElement);
  const choices: Choice[] = [];
  const looks: Looks = createLooks({ look: () => kept, keepLook: (choice) => void choices.push(choice) });
  const theme = { chosen: null as ThemeName | null };
  const shown: string[] = [];
  const off = new Set(['trails', 'density', 'links']);
  const asked: string[] = [];
  let role = 'viewer';
  const layersKept: Record<string, boolean> = { 'layer-trails': false };
  const here = room({ look: { shape: 'sheep', size: 25 } });
  const view = mount({
    looks,
    theme: { now: () => 'dark', chosen: () => theme.chosen, choose: (next: ThemeName | null) => (theme.chosen = next), next: () => undefined },
    tint: { of: () => mode.leaders },
    dock: { isOpen: () => true, toggle: () => undefined, open: () => undefined },
    layers: {
      show(name: string, on: boolean) {
        shown.push(`${name} ${on}`);
        off[on ? 'delete' : 'add'](name);
      },
      wants: (name: string) => !off.has(name),
    },
    settings: { wasOpen: (id: string) => layersKept[id] ?? null, keepOpen: (id: string, _: string, open: boolean) => (layersKept[id] = open) },
    model: { room: () => here, role: () => role },
    ask: ([, name, value]: Request) => void asked.push(`${name} ${value}`),
  } as unknown as Context);
  const frame = (): void => {
    const { shape, coloring } = looks.drawn(here);
    view.frame?.({ theme: 'dark', shape, coloring, tint: looks.tint(mode.leaders, 'dark') } as Scene);
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
  /** A presenter chooses for everyone. */
  const impose = (layers: string, coloring: string): void => {
    here.controls = Object.entries({ layers, coloring }).map(([name, value]) => ({ name, value, choices: [], text: '' }));
  };
  const present = (): void => {
    role = 'presenter';
    frame();
  };
  return { looks, choices, theme, frame, choose, radio, said, hides, shown, layersKept, asked, impose, present };
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
  assert.equal(looks.tint(LEADERS, 'dark'), null);
  assert.match(said(), /^Speed/);
  assert.ok(hides(), 'the page says that the choice hides the leaders’ colours');
  mode.leaders = null;
  frame();
  assert.ok(!hides(), 'without leaders it hides none');
  mode.leaders = LEADERS;
  choose('coloring', '');
  assert.equal(looks.tint(LEADERS, 'dark'), LEADERS);
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
      ['Centroid', true],
      ['Rules while a slider moves', true],
    ],
  );
  inputs[3].checked = true;
  inputs[3].dispatchEvent(new (document.defaultView as Window & typeof globalThis).Event('change'));
  assert.deepEqual([shown, layersKept['layer-links']], [['links true'], true]);
});

test('a presenter shows everyone the layers and colours of this screen, or lets everyone choose', () => {
  const { asked, impose, present, choose } = setUp({ shape: null, coloring: null });
  const button = (index: number): HTMLButtonElement => find(document, `#looks-all button:nth-of-type(${index + 1})`) as HTMLButtonElement;
  assert.ok((find(document, '#looks-all') as HTMLElement).hidden, 'viewers have no such button');
  impose('free', 'free');
  present();
  assert.ok(!(find(document, '#looks-all') as HTMLElement).hidden && button(1).hidden);
  choose('coloring', 'clusters');
  button(0).click();
  assert.deepEqual(asked.splice(0), ['layers target+centroid+rules', 'coloring clusters']);
  impose('target+centroid+rules', 'clusters');
  present();
  assert.ok(!button(1).hidden);
  button(1).click();
  assert.deepEqual(asked, ['layers free', 'coloring free']);
});

test('colours for everyone hold until this person chooses others, and are not remembered', () => {
  const { looks, choices, choose } = setUp({ shape: null, coloring: 'speed' });
  looks.impose('heading');
  assert.equal(looks.chosen().coloring, 'heading');
  choose('shape', 'bee');
  assert.deepEqual(choices.at(-1), { shape: 'bee', coloring: 'speed' }, 'another shape keeps both');
  assert.equal(looks.chosen().coloring, 'heading');
  choose('coloring', 'neighbours');
  assert.deepEqual([looks.chosen().coloring, choices.at(-1)?.coloring], ['neighbours', 'neighbours']);
  looks.impose('own');
  assert.equal(looks.chosen().coloring, 'own', 'until the presenter chooses again');
  looks.impose(null);
  assert.equal(looks.chosen().coloring, 'neighbours');
});
