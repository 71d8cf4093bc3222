// The words and choices that the page makes of the server's schema and events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventNews, slowness } from '../../flock/news';
import { paused, roomTitle, summary } from '../../flock/room';
import { standing } from '../../flock/standing';
import type { Control, RoomEvent } from '../../net/protocol';
import { fitsSideBySide } from './choices';
import { choiceName, choiceText, paramName } from '../../texts/names';
import { barriers } from '../../draw/scene';
import { room } from '../../../test/samples';

const control = (name: string, value: string, ...choices: string[]): Control => ({
  name,
  value,
  choices: choices.map((choice) => ({ value: choice, text: `what ${choice} is`, saved: false })),
  text: '',
});

const event = (name: string, what = '', from = '', to = ''): RoomEvent => ({
  kind: 'event',
  tick: 1,
  by: 7,
  who: 'Ada',
  name,
  what,
  from,
  to,
});

const inForce = (preset: string, model: string, run: string): ReturnType<typeof room> =>
  room({
    model,
    controls: [
      control('preset', preset, 'bees', 'march'),
      control('model', model, 'swarm', 'vision'),
      control('run', run, 'running', 'paused'),
    ],
  });

test('choices stand side by side when they are few and short', () => {
  assert.ok(fitsSideBySide(control('boundary', '', 'open', 'wrap', 'walls')));
  assert.ok(!fitsSideBySide(control('many', '', ...Array.from({ length: 17 }, (_, i) => `c${i}`))));
  assert.ok(!fitsSideBySide(control('long', '', ...Array.from({ length: 10 }, (_, i) => `choice-number-${i}`))));
});

test('events say who did what', () => {
  const here = inForce('march', 'vision', 'running');
  const title = (...of: Parameters<typeof event>): string | undefined => eventNews(event(...of), here, false)?.title;
  assert.deepEqual(eventNews(event('reset'), here, false), { title: 'Ada started the flock again', text: '' });
  assert.deepEqual(eventNews(event('set', 'preset', '', 'march'), here, true), {
    title: 'You chose the preset march',
    text: 'what march is',
  });
  assert.equal(title('set', 'preset', 'march', 'new-one'), 'Ada chose the preset new one');
  assert.equal(title('save', '', '', 'Ours'), 'Ada saved the preset Ours');
  assert.equal(title('forget', '', 'Ours', ''), 'Ada removed the preset Ours');
  assert.deepEqual(eventNews(event('set', 'model', 'vision', 'swarm'), here, false), {
    title: 'Ada: model vision → swarm',
    text: 'what swarm is',
  });
  assert.equal(title('set', 'model', 'swarm', 'swarm'), 'Ada: model swarm');
  assert.equal(title('set', 'run', 'running', 'paused'), 'Ada paused the flock');
  assert.equal(title('set', 'run', 'paused', 'running'), 'Ada resumed the flock');
  assert.equal(title('param', 'max_force', '0.05', '0.1'), 'Ada: maximum force 0.05 → 0.1');
  assert.equal(title('param', '', '', '12'), 'Ada changed 12 parameters');
  assert.equal(title('add', '', '12', '1112'), 'Ada added 1,100 boids');
  assert.equal(title('remove', '', '2', '1'), 'Ada removed 1 boid');
  assert.equal(title('undo', 'param max_force', '0.1', '0.05'), 'Ada undid: maximum force 0.1 → 0.05');
  assert.equal(title('undo', 'set preset', 'march', ''), 'Ada undid: preset march → none');
  assert.equal(title('undo', 'param', '', '12'), 'Ada undid the change of 12 parameters');
  assert.equal(title('undo', 'remove', '2', '12'), 'Ada undid a change: 12 boids now');
  assert.equal(title('undo', 'reset'), 'Ada undid “Start again”');
  assert.match(eventNews(event('undo-settings', 'set preset', 'march', 'bees'), here, true)?.text ?? '', /too many/);
  assert.equal(title('attention', '', 'off', 'on'), 'Ada asks for attention');
  assert.equal(title('attention', '', 'on', 'off'), undefined);
  assert.equal(title('spotlight', '', '', 'Bo'), 'Ada put Bo into the spotlight');
  assert.equal(title('spotlight', '', 'Bo', ''), 'Ada switched the spotlight off');
  assert.equal(title('title', '', '', 'Starlings'), 'Ada renamed the room to Starlings');
  assert.deepEqual(eventNews(event('abandoned', '', '', '1000'), here, false), {
    title: 'The flock is paused, because a tick took too long',
    text: 'more than 1000 ms; use fewer boids or a shorter view distance',
  });
  assert.deepEqual(eventNews(event('past-failed', '', '', 'beginning'), here, false), {
    title: 'That moment of the past cannot be shown',
    text: 'the recording starts again from its beginning',
  });
  assert.equal(eventNews(event('past-failed', '', '', 'present'), here, false)?.text, 'the room shows the present again');
  assert.equal(eventNews(event('earthquake', '9'), here, false), null);
});

test('a person who moves a slider gets no news about the change', () => {
  const here = inForce('march', 'vision', 'running');
  for (const name of ['param', 'add', 'remove']) assert.equal(eventNews(event(name, 'speed', '1', '2'), here, true), null);
});

test('a room that drops ticks is slow', () => {
  const to = (name: string, value: string): RoomEvent => event(name, '', '', value);
  assert.deepEqual(slowness(to('slow', '23')), { percent: 23, own: true });
  assert.deepEqual(slowness(to('slow', '4.5 %')), { percent: 4.5, own: true });
  assert.deepEqual(slowness(event('slow', 'server', '', '23')), { percent: 23, own: false });
  for (const each of [to('slow', ''), to('slow', '0'), to('reset', '23')]) assert.equal(slowness(each), null);
});

test('the page says whether this person’s cursor steers, and why not', () => {
  const locked = room({ controls: [control('viewers', 'watch', 'steer', 'watch')] });
  assert.equal(standing(locked, false), 'watches');
  assert.equal(standing(locked, true), 'steers');
  assert.equal(standing(room({ policy: 'presenter' }), false), 'shown');
  assert.equal(standing(room({ policy: 'presenter' }), true), 'steers');
  assert.equal(standing(room(), false), 'steers');
});

test('a room is called by its title, or by its code', () => {
  assert.equal(roomTitle(room({ title: 'Ada’s flock' })), 'Ada’s flock');
  assert.equal(roomTitle(room({ title: '' })), 'Room FK7 2MX');
  assert.equal(roomTitle(room({ title: '', code: 'lobby' })), 'Lobby');
});

test('the status names the preset and the model', () => {
  assert.equal(summary(inForce('march', 'vision', 'running')), 'march · vision');
  assert.equal(summary(inForce('', 'vision', 'running')), 'vision');
  assert.equal(summary(room()), 'swarm');
  assert.deepEqual([paused(inForce('', 'swarm', 'paused')), paused(room())], [true, false]);
});

test('a name without a text is shown as words', () => {
  assert.equal(paramName('neighbor_distance'), 'neighbor distance');
  assert.equal(paramName('flee_weight'), 'fear');
  assert.equal(choiceName('preset', 'new-one'), 'new one');
  assert.equal(choiceName('policy', 'latest'), 'last to move');
  assert.equal(choiceText('policy', 'latest', 'as the server says'), 'as the server says');
  assert.equal(paramName('constructor'), 'constructor');
});

test("walls are drawn, and the world's edges where they reflect", () => {
  assert.deepEqual(barriers(room({ boundary: 'wrap' })), []);
  assert.deepEqual(barriers(room({ boundary: 'walls', walls: [[1, 2, 3, 4]] })), [
    [1, 2, 3, 4],
    [0, 0, 550, 0],
    [550, 0, 550, 400],
    [550, 400, 0, 400],
    [0, 400, 0, 0],
  ]);
});
