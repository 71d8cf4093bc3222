// The text of the shaders. In GLSL the result of smoothstep() is undefined unless its first edge is the lower one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as shaders from '../src/draw/shaders';

const SIZE = 12; // of a boid, the only variable in the edges

const edge = (text: string): number =>
  text
    .replace('size', String(SIZE))
    .split('+')
    .map((term) => term.split('*').reduce((product, factor) => product * Number(factor), 1))
    .reduce((sum, term) => sum + term, 0);

test('the edges of each smoothstep() rise', () => {
  const calls = Object.values(shaders).flatMap((text) => [...text.matchAll(/smoothstep\(([^,]+),([^,]+),/g)]);
  assert.equal(calls.length, 5);
  for (const [call, first, second] of calls) assert.ok(edge(first) < edge(second), call);
});
