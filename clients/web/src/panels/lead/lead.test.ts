// The panel about leaders: its texts for each person in each class mode, and the colours of boids.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find, set } from '../../../test/document';
import { room, welcome } from '../../../test/samples';
import type { Context } from '../../app/context';
import type { KeyRow, KeyRun } from '../../app/keys';
import { createModel } from '../../flock/model';
import type { Layer, Pen } from '../../draw/layers';
import { COLORS, type Scene, type Tint, css } from '../../draw/scene';
import { onGround } from '../../draw/territory';
import type { Change, Leads, Request } from '../../net/protocol';
import html from './index.html';
import { mount } from './index';

const OWN = 7; // this person's id, Ada

const person = (id: number, name: string, team: number): Change => ({
  ...{ id, identity: { id, name, color: 0x4cc9f0 + id }, presenter: false, active: true, owner: false, team },
});

function setUp(policy: string, { team = 0, coarse = false, projector = false } = {}) {
  createPage(`<div id="own"></div>${html}`);
  set('ResizeObserver', class { observe(): void {} });
  set('matchMedia', () => ({ matches: coarse }));
  const model = createModel();
  const asked: Request[] = [];
  const subscribed: number[] = [];
  const keys = new Map<string, KeyRun>();
  const added: Layer[] = [];
  const own = { steers: true, used: true };
  const tint: { of(theme: string): Tint | null } = { of: () => null };
  let sequence = 0;

  const take = (policyNow: string, more: { controls?: Record<string, string>; attention?: string } = {}): void => {
    const controls = { teams: '3', ...more.controls };
    const all = Object.entries(controls).map(([name, value]) => ({ name, value, choices: [], text: '' }));
    model.apply({ kind: 'room', room: room({ policy: policyNow, controls: all, attention: more.attention ?? null }) }, 0);
  };
  const meet = (ownTeam: number): void => {
    const people = [person(OWN, 'Ada', ownTeam), person(2, 'Bo', 1), person(3, 'Cy', 2)];
    model.apply({ kind: 'presence', since: 0, sequence: ++sequence, people, left: [], away: null }, 0);
  };
  model.apply({ kind: 'status', status: { kind: 'connected' } }, 0);
  model.apply(welcome({ capabilities: ['topics'] }), 0);
  meet(team);
  const view = mount({
    ...{ model, tint, ask: (request: Request) => asked.push(request) },
    source: { subscribe: (topic: number, is: boolean) => (is ? topic : 0) !== (subscribed.at(-1) ?? 0) && subscribed.push(is ? topic : 0) },
    ownCursor: { steers: () => own.steers, used: () => own.used, steering: { cursor: () => ({ x: 700, y: 200, kind: 'touch' }) } },
    layers: { add: (layer: Layer) => added.push(layer) },
    keys: { addRow: ({ key }: KeyRow, run: KeyRun) => keys.set(key, run) },
    dock: { isOpen: (name: string) => name === 'projector' && projector },
  } as unknown as Context);
  model.subscribe(view);
  take(policy);
  const hear = (leaders: Leads['leaders'], turn: Leads['turn'] = null): void => {
    model.apply({ kind: 'leads', leaders, turn }, 0);
    view.figures?.(performance.now());
  };
  const said = (id: string): string => find(document, id).textContent ?? '';
  const shown = (id: string): boolean => find(document, id).closest('[hidden]') === null;
  return { model, view, tint, own, asked, subscribed, keys, added, take, meet, hear, said, shown };
}

const leader = (who: number, boids: number, people = 1): Leads['leaders'][number] => ({ who, x: 100 * who, y: 200, boids, people });

test('the panel does not cover this person’s name', () => {
  setUp('nearest');
  assert.equal(find(document, '#lead').nextElementSibling?.id, 'own');
});

test('each follows the nearest: the number of own boids, or what to do for some', () => {
  const { own, hear, said, shown, subscribed } = setUp('nearest', { coarse: true });
  assert.deepEqual(subscribed, [1]);
  assert.equal(said('#lead-text'), 'Drag a finger: the boids near it follow');
  hear([leader(OWN, 17), leader(2, 3)]);
  assert.equal(said('#lead-text'), '17 boids follow you');
  assert.equal(said('#lead-text b'), '17');
  assert.ok(!shown('#lead-teams') && !shown('#lead-bar'));
  hear([leader(OWN, 1)]);
  assert.equal(said('#lead-text'), '1 boid follows you');
  own.steers = false;
  hear([leader(2, 20)]);
  assert.match(said('#lead-text'), /Drag a finger/);
});

test('teams: whose boids, who steers, and a bar of all', () => {
  const { own, hear, said, shown, meet } = setUp('teams', { team: 1 });
  hear([leader(1, 120, 6), leader(2, 80, 1)]);
  assert.equal(`${said('#lead-text')} ${said('#lead-next')}`, 'Team Red: 120 boids you and 5 others steer it');
  hear([leader(1, 120, 2), leader(2, 80, 1)]);
  assert.equal(said('#lead-next'), 'you and 1 other steer it');
  hear([leader(1, 120, 1)]);
  assert.equal(said('#lead-next'), 'you steer it');
  own.steers = false;
  hear([leader(1, 120, 1)]);
  assert.equal(said('#lead-next'), '1 steers it');
  hear([leader(2, 1200, 1)]);
  assert.equal(`${said('#lead-text')} ${said('#lead-next')}`, 'Team Red: 0 boids move to steer it');
  assert.equal(find(document, '#lead-bar').getAttribute('aria-label'), 'Red 0, Blue 1,200, Yellow 0');
  const parts = [...find(document, '#lead-bar').children] as HTMLElement[];
  assert.deepEqual(parts.map(({ style, hidden }) => [style.flexGrow, hidden]), [['0', false], ['1200', false], ['0', false], ['0', true]]);
  assert.ok(shown('#lead-teams'));
  meet(2);
  assert.equal(said('#lead-spoken'), 'You are in team Blue');
  assert.equal(said('#lead-text'), 'Team Blue: 1,200 boids');
});

test('teams: a tap or a key joins a team that is there', () => {
  const { asked, keys, take } = setUp('teams', { team: 1 });
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('#lead-teams button')];
  assert.deepEqual(buttons.map((each) => each.getAttribute('aria-pressed')), ['true', 'false', 'false', 'false']);
  assert.deepEqual(buttons.map(({ hidden }) => hidden), [false, false, false, true]);
  buttons[1]?.click();
  keys.get('3')?.({} as never);
  keys.get('4')?.({} as never);
  take('nearest');
  keys.get('2')?.({} as never);
  assert.deepEqual(asked, [[38, 2], [38, 3]]);
});

test('relay: the turn, the seconds left, and who is next', (t) => {
  let clock = 1000;
  t.mock.method(performance, 'now', () => clock);
  const { view, hear, said } = setUp('relay');
  assert.equal(said('#lead-text'), 'Move: you lead the flock', 'while nobody leads');
  hear([], { id: 2, seconds: 7, next: 3 });
  assert.deepEqual([said('#lead-text'), said('#lead-next')], ['Bo leads, 7 s', 'next: Cy']);
  view.frame?.({ now: clock - 5 } as never);
  assert.equal(said('#lead-text'), 'Bo leads, 7 s', 'a frame that began before the message adds no second');
  clock += 2100;
  view.frame?.({ now: clock } as never);
  assert.equal(said('#lead-text'), 'Bo leads, 5 s', 'the seconds go down between two messages');
  hear([], { id: 2, seconds: 1, next: OWN });
  assert.equal(said('#lead-next'), 'next: you');
  assert.equal(said('#lead-spoken'), '');
  hear([], { id: OWN, seconds: 10, next: 0 });
  assert.deepEqual([said('#lead-text'), said('#lead-next'), said('#lead-spoken')], ['You lead! 10 s', '', 'You lead now']);
  find(document, '#lead-spoken').textContent = '';
  hear([], { id: OWN, seconds: 9, next: 2 });
  assert.equal(said('#lead-spoken'), '', 'once a turn');
});

test('a newcomer reads how to take part, until the cursor has moved', () => {
  const relay = setUp('relay', { coarse: true });
  relay.own.used = false;
  relay.hear([], { id: 2, seconds: 7, next: 3 });
  assert.deepEqual([relay.said('#lead-text'), relay.said('#lead-next')], ['Bo leads, 7 s', 'Drag a finger to take part: one person leads at a time']);
  relay.own.used = true;
  relay.hear([], { id: 2, seconds: 6, next: 3 });
  assert.equal(relay.said('#lead-next'), 'next: Cy');
  const teams = setUp('teams', { team: 1 });
  teams.own.used = teams.own.steers = false;
  teams.hear([leader(1, 120, 6)]);
  assert.equal(`${teams.said('#lead-text')} ${teams.said('#lead-next')}`, 'Team Red: 120 boids Move: you steer with your team');
  const teacher = setUp('relay');
  teacher.own.used = false;
  teacher.model.apply({ kind: 'role', role: 'presenter' }, 0);
  teacher.hear([], { id: 2, seconds: 7, next: 3 });
  assert.equal(teacher.said('#lead-next'), 'next: Cy', 'a presenter reads who is next');
  const large = setUp('relay', { projector: true });
  large.own.used = false;
  large.hear([], { id: 2, seconds: 7, next: 3 });
  assert.equal(large.said('#lead-next'), 'next: Cy', 'the class’s screen says who is next');
});

test('it goes away in other modes, while sharks hunt, and below an attention text', () => {
  const { take, shown, subscribed } = setUp('teams');
  assert.ok(shown('#lead'));
  take('teams', { attention: 'Look up' });
  assert.ok(!shown('#lead'));
  take('teams');
  assert.ok(shown('#lead'));
  take('teams', { controls: { cursors: 'scare' } });
  assert.ok(!shown('#lead'));
  take('mean');
  assert.ok(!shown('#lead'));
  assert.deepEqual(subscribed, [1, 0]);
});

test('a person who may only watch has no figure, and the class’s screen has the bar and the turn', () => {
  const watching = setUp('teams');
  watching.take('teams', { controls: { viewers: 'watch' } });
  assert.ok(!watching.shown('#lead'));
  for (const [policy, is] of [['teams', true], ['relay', true], ['nearest', false]] as const)
    assert.equal(setUp(policy, { projector: true }).shown('#lead'), is, policy);
});

test('boids have the colours of those who lead them, and one’s own stand out', () => {
  const { tint, hear, take } = setUp('nearest');
  assert.equal(tint.of('dark'), null, 'nobody leads');
  hear([leader(OWN, 5), leader(2, 5), leader(3, 5)]);
  const led = tint.of('dark');
  assert.equal(led?.colors.length, 4);
  const [grey] = led.colors;
  assert.ok(Math.max(...grey) - Math.min(...grey) < 0.01, 'boids without a leader are grey');
  assert.equal(css(led.colors[1]), css(onGround(0x4cc9f0 + OWN, COLORS.dark)));
  const sum = (color: readonly number[]): number => color.reduce((a, b) => a + b);
  assert.ok(sum(led.colors[1]) > sum(led.colors[2]), 'the others are paler');
  const frame = { serial: 1, stride: 1, count: 1, positions: Int16Array.of(16 * (700 - 275), 0) };
  assert.equal(led.of(frame as never, room())[0], 1, 'nearest to Ada, whose cursor is at 700');
  hear([leader(2, 5), leader(3, 5)]);
  assert.equal(css(tint.of('dark')?.colors[1] ?? [0, 0, 0]), css(onGround(0x4cc9f0 + 2, COLORS.dark)), 'not while Ada leads no boid');
  take('teams');
  hear([leader(1, 5), leader(2, 5)]);
  assert.equal(tint.of('dark')?.colors.length, 5);
  assert.notDeepEqual(tint.of('dark')?.colors, tint.of('light')?.colors);
  take('relay');
  assert.equal(tint.of('dark'), null);
});

/** Draws that layer, and returns the ends of its lines. */
function linesOf(layer: Layer, positions: number[], boundary: 'open' | 'wrap' = 'open'): string[] {
  const here = room({ quantum: 1, boundary, period: boundary === 'wrap' ? [550, 400] : null });
  const frame = { serial: 1, stride: 1, count: positions.length / 2, positions: Int16Array.from(positions) };
  const camera = { scale: 1, left: 0, top: 0 };
  const scene = { room: here, moment: { a: frame, b: frame, alpha: 0, perMs: 0 }, theme: 'dark', camera } as unknown as Scene;
  if (layer.shows?.(scene, 1) == null) return [];
  const lines: string[] = [];
  const context = { beginPath() {}, moveTo() {}, arc() {}, stroke() {}, lineTo: (x: number, y: number) => lines.push(`${x} ${y}`) };
  layer.paint?.({ context, camera, colors: COLORS.dark, large: 1, shade: css, thin: () => 1 } as unknown as Pen, scene);
  return lines;
}

test('lines go from the own cursor to the boids that follow it, and to no others', () => {
  const { added: [strings], own, hear, take } = setUp('nearest');
  const boids = [225, 0, 265, 20, -225, 0]; // x: 500, 540 and 50
  assert.deepEqual(linesOf(strings, boids), [], 'before anybody leads');
  hear([leader(OWN, 2), leader(2, 1)]);
  assert.deepEqual(linesOf(strings, boids), ['500 200', '540 220']);
  own.steers = false;
  assert.deepEqual(linesOf(strings, boids), []);
  own.steers = true;
  hear([leader(2, 3)]);
  assert.deepEqual(linesOf(strings, boids), [], 'Ada leads none');
  take('teams');
  hear([leader(1, 2), leader(2, 1)]);
  assert.deepEqual(linesOf(strings, boids), [], 'a team’s boids have its colour');
});

test('of very many own boids some have a line, and none across the edge of a torus', () => {
  const { added: [strings], hear } = setUp('nearest');
  hear([leader(OWN, 300)]);
  const lines = linesOf(strings, Array.from({ length: 600 }, (_, i) => (i % 2 === 0 ? i / 4 : 0)));
  assert.equal(lines.length, 38, 'of 300 boids every eighth');
  assert.deepEqual(linesOf(strings, [225, 0, -270, 0], 'wrap'), ['500 200']);
});

test('the projector has no lines', () => {
  const { added: [strings], hear } = setUp('nearest', { projector: true });
  hear([leader(OWN, 1)]);
  assert.deepEqual(linesOf(strings, [225, 0]), []);
});
