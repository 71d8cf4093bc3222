// The shaders, as far as their text tells: GLSL leaves undefined what smoothstep() returns unless its first edge is the lower one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as shaders from '../src/draw/shaders';

const SIZE = 12; // of a boid, the one variable that an edge depends on

const edge = (text: string): number =>
  text
    .replace('size', String(SIZE))
    .split('+')
    .map((term) => term.split('*').reduce((product, factor) => product * Number(factor), 1))
    .reduce((sum, term) => sum + term, 0);

test('the edges of each smoothstep() rise', () => {
  const calls = Object.values(shaders).flatMap((text) => [...text.matchAll(/smoothstep\(([^,]+),([^,]+),/g)]);
  assert.equal(calls.length, 4);
  for (const [call, first, second] of calls) assert.ok(edge(first) < edge(second), call);
});
