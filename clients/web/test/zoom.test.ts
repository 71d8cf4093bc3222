import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { ViewMode, Viewport } from '../src/draw/viewport';
import { listenForZoom, showMode } from '../src/app/zoom';
import { type Dispatched, createPage, find, fire } from './document';

interface SetUp {
  canvas: HTMLElement;
  back: HTMLElement;
  done: string[]; // calls of the viewport and the steering
  taken: { taps: boolean };
  finger(type: string, id: number, x: number, y: number, at?: number): void;
  tap(x: number, y: number, at: number): void;
}

function setUp(): SetUp {
  createPage('<canvas></canvas><button id="view-back"></button>');
  const [canvas, back] = [find(document, 'canvas'), find(document, 'button')];
  const done: string[] = [];
  const taken = { taps: false };
  let mode: ViewMode = 'all';
  const viewport = {
    mode: () => mode,
    zoom: (factor: number, ...at: number[]) => {
      mode = 'free';
      done.push(`zoom ${[factor, ...at].map((value) => value.toFixed(2)).join(' ')}`);
    },
    back: () => {
      mode = 'all';
      done.push('back');
    },
  };
  listenForZoom({
    canvas: canvas,
    viewport: viewport as unknown as Viewport,
    letGo: () => done.push('let go'),
    tapsTaken: () => taken.taps,
  });
  const finger = (type: string, pointerId: number, clientX: number, clientY: number, timeStamp = 0): void =>
    void fire(canvas, type, { pointerType: 'touch', pointerId, clientX, clientY, timeStamp });
  const tap = (x: number, y: number, at: number): void => {
    finger('pointerdown', 1, x, y, at);
    finger('pointerup', 1, x, y, at + 50);
  };
  return { canvas, back, done, taken, finger, tap };
}

let it: SetUp;
beforeEach(() => (it = setUp()));

test('two fingers zoom about their middle, and move what is below them', () => {
  it.finger('pointerdown', 1, 100, 100);
  it.finger('pointermove', 1, 110, 100);
  assert.deepEqual(it.done, [], 'one finger steers');
  it.finger('pointerdown', 2, 210, 100);
  it.finger('pointermove', 2, 310, 100);
  it.finger('pointermove', 2, 310, 100);
  assert.deepEqual(it.done, ['let go', 'zoom 2.00 160.00 100.00 50.00 0.00', 'zoom 1.00 210.00 100.00 0.00 0.00']);
});

test('two fingers at one place do not zoom without end', () => {
  it.finger('pointerdown', 1, 100, 100);
  it.finger('pointerdown', 2, 100, 100);
  it.finger('pointermove', 2, 120, 100);
  assert.deepEqual(it.done, ['let go', 'zoom 2.00 100.00 100.00 10.00 0.00']);
});

test('two taps zoom in, two more go back', () => {
  it.tap(50, 60, 0);
  assert.deepEqual(it.done, []);
  it.tap(55, 60, 200);
  assert.deepEqual(it.done, ['zoom 2.20 55.00 60.00']);
  it.tap(55, 60, 2000);
  it.tap(55, 60, 2200);
  assert.deepEqual(it.done.slice(1), ['back']);
});

test('no two taps: apart in time, apart in place, a drag, three of them, or when taps mean something else', () => {
  for (const [x, at] of [
    [50, 0],
    [50, 700],
    [200, 900],
  ] as const)
    it.tap(x, 60, at);
  it.finger('pointerdown', 1, 50, 60, 5000);
  it.finger('pointerup', 1, 150, 60, 5100);
  it.tap(150, 60, 5200);
  assert.deepEqual(it.done, []);
  it.tap(150, 60, 5300);
  it.tap(150, 60, 5400);
  assert.equal(it.done.length, 1, 'the third begins again');
  it.taken.taps = true;
  it.tap(50, 60, 9000);
  it.tap(50, 60, 9100);
  assert.equal(it.done.length, 1);
});

test('the wheel zooms where the mouse is, by lines or by pixels', () => {
  const turn = (deltaY: number, deltaMode: number): Dispatched => fire(it.canvas, 'wheel', { deltaY, deltaMode, clientX: 5, clientY: 6 });
  assert.ok(turn(-100, 0).prevented, 'the page does not scroll');
  turn(5, 1);
  assert.deepEqual(it.done, ['zoom 1.17 5.00 6.00', 'zoom 0.85 5.00 6.00']);
});

test('the button goes back, and is there while the view is one’s own', () => {
  it.back.click();
  assert.deepEqual(it.done, ['back']);
  showMode('free');
  assert.equal(it.back.hidden, false);
  showMode('all');
  assert.equal(it.back.hidden, true);
});
