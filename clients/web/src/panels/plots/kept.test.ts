import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choicesIn } from './kept';

test('choices are as the person left them', () => {
  const left = { view: 'against', measures: ['speed', 'clusters'], across: 'radius', up: 'speed', large: true } as const;
  assert.deepEqual(choicesIn(JSON.stringify(left)), left);
});

test('what is no choice is as at first', () => {
  const first = choicesIn('');
  assert.deepEqual(first.measures, ['polarization', 'milling', 'radius', 'nearest']);
  for (const text of ['null', '7', '[', '{}', '{"view":"x","measures":[],"across":1,"up":"__proto__","large":"yes"}', '{"measures":"speed"}'])
    assert.deepEqual(choicesIn(text), first, text);
  assert.deepEqual(choicesIn('{"measures":["speed","speed","love"]}').measures, ['speed']);
});
