// What the panel and everyone's notices are made of: the server's schema and its errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitsSideBySide } from '../src/choices';
import type { Control, ServerError } from '../src/protocol';
import { BOIDS, culprit } from '../src/refusals';
import { news, paused, spoken, summary } from '../src/room-news';
import { barriers } from '../src/scene';
import { room } from './samples';

const control = (name: string, value: string, ...choices: string[]): Control => ({
  name,
  value,
  choices: choices.map((choice) => ({ value: choice, text: `what ${choice} is` })),
  text: '',
});

const error = (field: string, message: string): ServerError => ({
  kind: 'error',
  code: 'range',
  field,
  message,
  fatal: false,
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
  assert.ok(!fitsSideBySide(control('many', '', ...Array.from({ length: 13 }, (_, i) => `c${i}`))));
  assert.ok(!fitsSideBySide(control('long', '', ...Array.from({ length: 8 }, (_, i) => `choice-number-${i}`))));
});

test('an error is shown where it belongs', () => {
  const names = ['model', 'view_angle', 'max_speed'];
  assert.equal(culprit(error('value', 'view_angle: expected 0 to 360, got 400'), names, 'max_speed'), 'view_angle');
  assert.equal(culprit(error('value', 'something else altogether'), names, 'max_speed'), 'max_speed');
  assert.equal(culprit(error('name', 'name: the model has no parameter gone'), names, 'gone'), null);
  assert.equal(culprit(error('count', 'count: there is room for 3 more boids, got 10'), names, 'model'), BOIDS);
  assert.equal(culprit(error('', 'add: out of memory'), names, 'model'), BOIDS);
  assert.equal(culprit(error('', 'too many messages'), names, 'model'), null);
  assert.equal(culprit(error('x', 'x: out of reach'), names, 'model'), null);
});

test('everyone is told of what has changed, the preset before what it brings along', () => {
  const before = inForce('', 'swarm', 'running');
  assert.deepEqual(news(before, inForce('march', 'vision', 'running')), {
    title: 'preset: march',
    text: 'what march is',
  });
  assert.equal(news(inForce('march', 'vision', 'running'), before)?.title, 'model: swarm', 'no preset is no news');
  assert.equal(news(before, inForce('', 'swarm', 'running')), null);
  assert.equal(news(before, inForce('', 'swarm', 'paused')), null, 'that is seen all the time');
  assert.equal(news(room(), before), null, 'nor is a control that was not there');
});

test('the status says which preset and model', () => {
  assert.equal(summary(inForce('march', 'vision', 'running')), 'march · vision');
  assert.equal(summary(inForce('', 'vision', 'running')), 'vision');
  assert.equal(summary(room()), 'swarm');
  assert.deepEqual([paused(inForce('', 'swarm', 'paused')), paused(room())], [true, false]);
});

test('names of the protocol are read as words', () => {
  assert.equal(spoken('max_turn-rate'), 'max turn rate');
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
