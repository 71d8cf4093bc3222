import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { ViewMode, Viewport } from '../src/draw/viewport';
import { listenForZoom, showMode } from '../src/ui/zoom';
import { FakeElement, createPage, eventOf } from './page';

interface SetUp {
  page: EventTarget;
  canvas: EventTarget;
  back: FakeElement;
  done: string[]; // what the viewport and the steering were told
  taken: { taps: boolean };
  finger(type: string, id: number, x: number, y: number, at?: number): void;
  tap(x: number, y: number, at: number): void;
}

function setUp(): SetUp {
  const back = new FakeElement();
  const page = createPage({ 'view-back': back });
  const canvas = new EventTarget();
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
    canvas: canvas as HTMLElement,
    viewport: viewport as unknown as Viewport,
    letGo: () => done.push('let go'),
    tapsTaken: () => taken.taps,
  });
  const finger = (type: string, pointerId: number, clientX: number, clientY: number, timeStamp = 0): void =>
    void canvas.dispatchEvent(eventOf(type, { pointerType: 'touch', pointerId, clientX, clientY, timeStamp }));
  const tap = (x: number, y: number, at: number): void => {
    finger('pointerdown', 1, x, y, at);
    finger('pointerup', 1, x, y, at + 50);
  };
  return { page, canvas, back, done, taken, finger, tap };
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
  const pixels = eventOf('wheel', { deltaY: -100, deltaMode: 0, clientX: 5, clientY: 6 });
  it.canvas.dispatchEvent(pixels);
  it.canvas.dispatchEvent(eventOf('wheel', { deltaY: 5, deltaMode: 1, clientX: 5, clientY: 6 }));
  assert.ok(pixels.defaultPrevented, 'the page does not scroll');
  assert.deepEqual(it.done, ['zoom 1.17 5.00 6.00', 'zoom 0.85 5.00 6.00']);
});

test('the button goes back, and is there while the view is one’s own', () => {
  it.back.dispatchEvent(new Event('click'));
  assert.deepEqual(it.done, ['back']);
  showMode('free');
  assert.equal(it.back.hidden, false);
  showMode('all');
  assert.equal(it.back.hidden, true);
});
