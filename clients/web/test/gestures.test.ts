import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ViewMode, Viewport } from '../src/draw/viewport';
import { type Gestures, listenForGestures, showMode } from '../src/app/gestures';
import { type Drag, type Follower, type Tools, createTools } from '../src/app/tools';
import { type Dispatched, createPage, find, fire, set } from './document';
import { testsAfter } from './fresh';

interface SetUp {
  canvas: HTMLElement;
  back: HTMLElement;
  done: string[]; // calls of the viewport, and clicks of the tools
  followed: string[]; // points that the tool in hand followed
  tools: Tools;
  gestures: Gestures;
  finger(type: string, id: number, x: number, y: number, at?: number): void;
  mouse(type: string, x: number, y: number, button?: number): void;
  tap(x: number, y: number, at: number): void;
}

function setUp(): SetUp {
  createPage('<canvas></canvas><button id="view-back"></button>');
  const [canvas, back] = [find(document, 'canvas'), find(document, 'button')];
  canvas.setPointerCapture = (): void => undefined; // happy-dom has none
  set('requestAnimationFrame', () => 0);
  const done: string[] = [];
  const followed: string[] = [];
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
  let kind: ReturnType<Follower['cursor']> = null;
  const follower = (name: string): Follower => ({
    point(x, y, by) {
      kind = { kind: by };
      followed.push(`${name} ${by} ${x} ${y}`);
    },
    leave() {
      kind = null;
      followed.push(`${name} lets go`);
    },
    drift: (x, y) => void followed.push(`${name} drifts ${x} ${y}`),
    cursor: () => kind,
  });
  const steering = follower('steer');
  const tools = createTools({ name: 'steer', follows: steering });
  tools.add({
    name: 'add',
    follows: steering,
    click: (x, y) => void done.push(`add ${x} ${y}`),
    held: (is) => void done.push(is ? 'add in hand' : 'add put down'),
  });
  tools.add({ name: 'draw', follows: follower('draw') });
  const gestures = listenForGestures({
    canvas,
    tools,
    viewport: viewport as unknown as Viewport,
    toWorld: (px, py) => [px, py],
    onHidden: () => done.push('hidden'),
    holdAt: (x, y) => (x < 40 ? null : () => done.push(`hold ${x} ${y}`)),
  });
  const finger = (type: string, pointerId: number, clientX: number, clientY: number, timeStamp = 0): void =>
    void fire(canvas, type, { pointerType: 'touch', pointerId, clientX, clientY, timeStamp });
  const mouse = (type: string, clientX: number, clientY: number, button = 0): void =>
    void fire(canvas, type, { pointerType: 'mouse', pointerId: 99, clientX, clientY, button });
  const tap = (x: number, y: number, at: number): void => {
    finger('pointerdown', 1, x, y, at);
    finger('pointerup', 1, x, y, at + 50);
  };
  return { canvas, back, done, followed, tools, gestures, finger, mouse, tap };
}

let it: SetUp;
const test = testsAfter(() => (it = setUp()));

test('two fingers zoom about their middle, and move the view', () => {
  it.finger('pointerdown', 1, 100, 100);
  it.finger('pointermove', 1, 110, 100);
  assert.deepEqual([it.done, it.followed], [[], ['steer touch 100 100', 'steer touch 110 100']], 'one finger steers');
  it.finger('pointerdown', 2, 210, 100);
  it.finger('pointermove', 2, 310, 100);
  it.finger('pointermove', 2, 310, 100);
  assert.deepEqual(it.done, ['zoom 2.00 160.00 100.00 50.00 0.00', 'zoom 1.00 210.00 100.00 0.00 0.00']);
});

test('two fingers at one point do not zoom without limit', () => {
  it.finger('pointerdown', 1, 100, 100);
  it.finger('pointerdown', 2, 100, 100);
  it.finger('pointermove', 2, 120, 100);
  assert.deepEqual(it.done, ['zoom 2.00 100.00 100.00 10.00 0.00']);
});

test('a third finger neither steers nor disturbs the zoom of the first two', () => {
  for (const [id, x] of [
    [1, 100],
    [2, 200],
    [3, 300],
  ])
    it.finger('pointerdown', id, x, 100);
  it.finger('pointermove', 3, 400, 100);
  it.finger('pointermove', 2, 300, 100);
  it.finger('pointerup', 3, 400, 100);
  assert.deepEqual(it.followed, ['steer touch 100 100', 'steer lets go']);
  assert.deepEqual(it.done, ['zoom 1.00 150.00 100.00 0.00 0.00', 'zoom 2.00 150.00 100.00 50.00 0.00']);
});

test('a palm beside a pen that draws does nothing', () => {
  const drag = Object.fromEntries(
    ['begin', 'end', 'cancel'].map((name) => [name, (x = 0, y = 0) => void it.done.push(`${name} ${x} ${y}`)]),
  );
  it.tools.add({ name: 'wall', follows: it.tools.inHand().follows, drag: drag as unknown as Drag });
  it.tools.take('wall');
  const pen = (type: string, clientX: number): void =>
    void fire(it.canvas, type, { pointerType: 'pen', pointerId: 7, clientX, clientY: 10, button: 0 });
  pen('pointerdown', 10);
  for (const id of [1, 2]) it.finger('pointerdown', id, 200, 300);
  it.finger('pointermove', 1, 210, 300);
  for (const id of [1, 2]) it.finger('pointerup', id, 210, 300);
  pen('pointerup', 60);
  assert.deepEqual(it.done, ['begin 10 10', 'end 60 10']);
  assert.deepEqual(it.followed, ['steer pen 10 10']);
});

test('two taps zoom in, two more taps reset the view', () => {
  it.tap(50, 60, 0);
  assert.deepEqual(it.done, []);
  it.tap(55, 60, 200);
  assert.deepEqual(it.done, ['zoom 2.20 55.00 60.00']);
  it.tap(55, 60, 2000);
  it.tap(55, 60, 2200);
  assert.deepEqual(it.done.slice(1), ['back']);
});

/** Timers and pictures of the page, which come when a test says so. */
function holdTimes(t: TestContext): { timers(): void; picture(): void } {
  const later: (() => void)[] = [];
  const pictures: (() => void)[] = [];
  t.mock.method(globalThis, 'setTimeout', (run: () => void) => later.push(run));
  set('requestAnimationFrame', (run: () => void) => pictures.push(run));
  return { timers: () => later.splice(0).forEach((run) => run()), picture: () => pictures.splice(0).forEach((run) => run()) };
}

test('a finger that rests on a boid inspects it; not one that moves, that is lifted, or that has a second finger or another tool', (t) => {
  const { timers, picture } = holdTimes(t);
  const rest = (then: () => void, x = 50): string[] => {
    it.finger('pointerdown', 1, x, 60);
    then();
    timers();
    picture();
    it.finger('pointerup', 1, x, 60, 1000);
    return it.done.splice(0);
  };
  const nothing: string[] = [];
  assert.deepEqual(
    rest(() => it.finger('pointermove', 1, 52, 60)),
    ['hold 50 60'],
    'the boid on which it came down',
  );
  assert.deepEqual(
    rest(() => {}, 30),
    nothing,
    'where no boid is, it steers',
  );
  assert.deepEqual(
    rest(() => it.finger('pointermove', 1, 90, 60)),
    nothing,
  );
  assert.deepEqual(
    rest(() => [90, 50].forEach((x) => it.finger('pointermove', 1, x, 60))),
    nothing,
    'it has come back',
  );
  assert.deepEqual(
    rest(() => it.finger('pointerup', 1, 50, 60, 100)),
    nothing,
  );
  assert.deepEqual(
    rest(() => it.finger('pointercancel', 1, 50, 60, 100)),
    nothing,
  );
  assert.deepEqual(
    rest(() => it.finger('pointerdown', 2, 150, 60)),
    nothing,
  );
  it.finger('pointerup', 2, 150, 60, 1000);
  it.tools.take('add');
  assert.deepEqual(
    rest(() => {}),
    ['add in hand'],
  );
});

test('a finger that has moved does not inspect a boid, though a slow page gets its moves after the timer', (t) => {
  const { timers, picture } = holdTimes(t);
  it.finger('pointerdown', 1, 50, 60);
  timers();
  it.finger('pointermove', 1, 90, 60, 100);
  picture();
  assert.deepEqual(it.done, []);
});

test('no double tap: taps far apart in time or position, a drag, three taps, or taps with another meaning', () => {
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
  it.tools.take('add');
  it.tap(50, 60, 9000);
  it.tap(50, 60, 9100);
  assert.equal(it.done.filter((each: string) => each.startsWith('zoom')).length, 1);
});

test('the wheel zooms about the mouse, by lines or by pixels', () => {
  const turn = (deltaY: number, deltaMode: number): Dispatched => fire(it.canvas, 'wheel', { deltaY, deltaMode, clientX: 5, clientY: 6 });
  assert.ok(turn(-100, 0).prevented, 'the page does not scroll');
  turn(5, 1);
  assert.deepEqual(it.done, ['zoom 1.17 5.00 6.00', 'zoom 0.85 5.00 6.00']);
});

test('the button resets the view, and shows while the view is zoomed', () => {
  it.back.click();
  assert.deepEqual(it.done, ['back']);
  showMode('free');
  assert.equal(it.back.hidden, false);
  showMode('all');
  assert.equal(it.back.hidden, true);
});

test('a tool follows the mouse, and the first finger until it lifts or a second one touches', () => {
  it.mouse('pointermove', 1, 2);
  it.finger('pointerdown', 1, 5, 6);
  it.finger('pointermove', 1, 7, 8);
  it.finger('pointerup', 1, 7, 8, 5000);
  it.finger('pointermove', 1, 9, 9);
  assert.deepEqual(it.followed.splice(0), ['steer mouse 1 2', 'steer touch 5 6', 'steer touch 7 8', 'steer lets go']);
  it.finger('pointerdown', 1, 5, 6);
  it.finger('pointerdown', 2, 50, 6);
  it.finger('pointerup', 2, 50, 6);
  it.finger('pointermove', 1, 7, 8);
  assert.deepEqual(it.followed, ['steer touch 5 6', 'steer lets go'], 'and does not begin again by itself');
});

test('a tool gets a click of the mouse at once, and a tap when the finger lifts', () => {
  it.tools.take('add');
  assert.deepEqual(it.done.splice(0), ['add in hand']);
  it.mouse('pointerdown', 10, 20);
  it.mouse('pointerdown', 10, 20, 2);
  it.finger('pointerdown', 1, 30, 40, 1000);
  it.finger('pointerup', 1, 35, 40, 1450);
  it.finger('pointerdown', 1, 30, 40, 2000);
  it.finger('pointerup', 1, 80, 40, 2100);
  it.finger('pointerdown', 1, 30, 40, 3000);
  it.finger('pointerup', 1, 30, 40, 3900);
  assert.deepEqual(
    it.done.filter((each) => each.startsWith('add')),
    ['add 10 20', 'add 35 40'],
  );
  it.tools.putDown('add');
  it.mouse('pointerdown', 10, 20);
  assert.deepEqual([it.done.at(-1), it.tools.inHand().name], ['add put down', 'steer']);
  assert.equal(it.tools.putDown(), false, 'the first tool stays');
  it.tools.take('add');
  assert.deepEqual([it.tools.putDown('draw'), it.tools.putDown()], [false, true]);
});

test('a new tool that follows the pointer replaces the old one', () => {
  it.mouse('pointermove', 1, 2);
  it.tools.take('add');
  assert.deepEqual(it.followed, ['steer mouse 1 2'], 'adding boids steers, too');
  it.tools.take('draw');
  it.mouse('pointermove', 3, 4);
  assert.deepEqual(it.followed.slice(1), ['steer lets go', 'draw mouse 3 4']);
  assert.throws(() => it.tools.take('none'));
});

test('when the view moves, the tool gets its pointer’s new position', () => {
  it.gestures.viewMoved(true);
  assert.deepEqual(it.followed, [], 'no pointer was there');
  it.mouse('pointermove', 1, 2);
  it.gestures.viewMoved(true);
  it.gestures.viewMoved(false);
  assert.deepEqual(it.followed.slice(1), ['steer mouse 1 2', 'steer drifts 1 2']);
});

/** Adds a tool that drags, takes it in hand, and forgets what was done so far. */
function drags({ tools, done }: SetUp): void {
  tools.add({
    name: 'wall',
    follows: tools.inHand().follows,
    drag: {
      begin: (x, y) => void done.push(`begin ${x} ${y}`),
      end: (x, y) => void done.push(`end ${x} ${y}`),
      cancel: () => void done.push('cancel'),
    },
  });
  tools.take('wall');
  done.length = 0;
}

test('a tool that drags gets both ends from the mouse and from a finger, and no clicks', () => {
  const it = setUp();
  drags(it);
  it.mouse('pointerdown', 10, 20);
  it.mouse('pointermove', 30, 40);
  it.mouse('pointerup', 50, 60);
  it.mouse('pointerdown', 10, 20, 2);
  it.mouse('pointerup', 10, 20, 2);
  it.tap(70, 80, 1000);
  it.tap(70, 80, 1100);
  assert.deepEqual(it.done, ['begin 10 20', 'end 50 60', 'begin 70 80', 'end 70 80', 'begin 70 80', 'end 70 80']);
});

test('a second finger cancels a drag and zooms', () => {
  const it = setUp();
  drags(it);
  it.finger('pointerdown', 1, 100, 100);
  it.finger('pointerdown', 2, 200, 100);
  it.finger('pointermove', 2, 300, 100);
  it.finger('pointerup', 2, 300, 100);
  it.finger('pointerup', 1, 100, 100);
  assert.deepEqual(it.done, ['begin 100 100', 'cancel', 'zoom 2.00 150.00 100.00 50.00 0.00']);
});
