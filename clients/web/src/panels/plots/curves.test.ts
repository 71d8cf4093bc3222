import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Room, Swept, Things } from '../../net/protocol';
import { commandOf, largestOf, shortest, tableOfPoints, timeOf } from './curves';

const points = [
  { value: 0, samples: 40, means: [0.875, 0.125, 150.5, 2.5, 12.25, 3.5], errors: [0.0625, 0, 1.5, 0.25, 0.75, 0.5] },
  { value: Math.fround(0.1), samples: 40, means: [0.5, 0.25, 160, 2, 11.5, 4], errors: [0.5, 0, 2.5, 0, 0.5, 0.25] },
];
const swept: Swept = { kind: 'swept', state: 'done', by: 7, who: 'Ada', name: 'noise', from: 0, to: Math.fround(0.1), steps: 2, warmUp: 3, seconds: 8, points };

test('a value has the digits of its float and no more', () => {
  assert.equal(shortest(Math.fround(0.05)), '0.05');
  assert.equal(shortest(1 / 3), '0.33333334');
  assert.equal(shortest(-360), '-360');
  for (const value of [1e-7, 123456.789, 0.1 + 0.2, 16777217]) assert.equal(Math.fround(Number(shortest(value))), Math.fround(value));
});

test('the table is that of flock-sim', () => {
  const [head, first, second] = tableOfPoints(points).split('\r\n');
  assert.equal(
    head,
    'value,samples,polarization,polarization_error,milling,milling_error,gyration,gyration_error,speed,speed_error,nearest,nearest_error,clusters,clusters_error',
  );
  assert.equal(first, '0,40,0.875,0.0625,0.125,0,150.5,1.5,2.5,0.25,12.25,0.75,3.5,0.5');
  assert.ok(second.startsWith('0.1,40,0.5,0.5,'));
});

test('the command has the flock of the room, and ticks in place of seconds', () => {
  const params = [
    { name: 'noise', value: 5 },
    { name: 'max_speed', value: Math.fround(2.7) },
  ];
  const room = { model: 'boids', boundary: 'wrap', update: 'synchronous', world: [800, 600], params, walls: [], tickRate: 30, idle: 'hold' };
  assert.equal(
    commandOf(room as unknown as Room, 300, null, swept),
    'flock-sim --model boids --boids 300 --world 800x600 --boundary wrap --set max_speed=2.7 --sweep noise=0:0.1:2 --warm-up 90 --ticks 240 --every 6',
  );
  const other = { ...room, boundary: 'walls', update: 'sequential', walls: [[1, 2, 3, 4.5]], idle: 'wander' };
  const things = { food: [{ x: 5, y: 6.5, amount: 0.25 }, { x: 7, y: 8, amount: 199.5 }], hunters: [{ x: 9, y: -1 }] };
  const command = commandOf(other as unknown as Room, 300, { kind: 'things', ...things } satisfies Things, swept);
  // flock-sim takes an amount of food of at least 1.
  for (const part of ['--update sequential', '--wall 1,2,3,4.5', '--food 5,6.5,1 --food 7,8,199.5 --hunter 9,-1', '--wander']) assert.ok(command.includes(` ${part} `), part);
});

test('a sweep takes its steps, each with warm-up and measuring', () => assert.equal(timeOf(11, 3, 8), 121));

test('a curve fits with its errors', () => {
  assert.equal(largestOf(points, 0), 1);
  assert.equal(largestOf([], 0), 0);
});
