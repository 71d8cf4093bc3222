import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measures } from '../../net/protocol';
import { createWords, inWords } from './words';
import { room } from '../../../test/samples';

const measures = (some: Partial<Measures> = {}): Measures => ({
  polarization: 0.9,
  milling: 0,
  centroid: [275, 200],
  radius: 20,
  speed: 3,
  nearest: 5,
  ...some,
});
const here = room({ world: [550, 400] });

test('the flock in words: how it moves, how closely, where, and where the target is', () => {
  const said = (some: Partial<Measures>, target: [number, number] | null = null) =>
    inWords({ flock: 40, target, measures: measures(some) }, here);
  assert.equal(said({}), '40 boids: all fly the same way, close together, in the middle.');
  assert.match(said({ polarization: 0.6 }), /most fly the same way/);
  assert.match(said({ polarization: 0.2 }), /each flies its own way/);
  assert.match(said({ polarization: 0.2, milling: 0.8 }), /they circle/);
  assert.match(said({ speed: 0.01 }), /they stand still/);
  assert.match(said({ radius: 70 }), /loosely together/);
  assert.match(said({ radius: 150 }), /far apart/);
  assert.match(said({ centroid: [10, 10] }, [540, 390]), /at the top left\. The target is at the bottom right\.$/);
  assert.match(said({ centroid: [-10, 10] }), /outside the window/);
  assert.match(said({}, [270, 190]), /The target is there too\.$/);
  assert.equal(inWords({ flock: 40, target: null, measures: null }, here), '');
});

test('the description changes only with news, at most every ten seconds', () => {
  const words = createWords();
  const see = (centroid: [number, number], now: number) =>
    words.next({ flock: 40, target: null, measures: measures({ centroid }) }, here, now);
  assert.match(see([10, 10], 1000) ?? '', /top left/);
  assert.equal(see([540, 10], 10_900), null, 'too soon');
  assert.match(see([540, 10], 11_000) ?? '', /top right/);
  assert.equal(see([541, 11], 40_000), null, 'nothing new');
  assert.match(see([10, 390], 40_100) ?? '', /bottom left/, 'what is new waits no longer');
});
