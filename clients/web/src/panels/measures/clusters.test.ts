// The measures' row of clusters: counted only for people who look at them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find } from '../../../test/document';
import { snapshot, welcome } from '../../../test/samples';
import type { Context } from '../../app/context';
import { createModel } from '../../flock/model';
import { TOPIC_CLUSTERS } from '../../net/messages';
import { mount } from './index';

const PAGE = `<details id="measures"><summary></summary><dl id="measures-list"></dl><input id="centroid-shown" type="checkbox">
  <button id="measures-plots"></button><input id="words-shown" type="checkbox"><p id="words"></p></details>`;

const MEASURES = { polarization: 1, milling: 0, centroid: [0, 0] as [number, number], radius: 5, speed: 1, nearest: 3 };

function setUp(capabilities: string[]) {
  createPage(PAGE);
  const panel = find<HTMLDetailsElement>(document, '#measures');
  const model = createModel();
  const subscribed: boolean[] = [];
  const view = mount({
    model,
    source: { subscribe: (topic: number, is: boolean) => topic === TOPIC_CLUSTERS && is !== (subscribed.at(-1) ?? false) && subscribed.push(is) },
    keys: { on: () => {} },
    layers: { show: () => {}, wants: () => true },
    settings: { centroidShown: () => false, inWords: () => false },
  } as unknown as Context);
  model.subscribe(view);
  model.apply({ kind: 'status', status: { kind: 'connected' } }, 0);
  model.apply(welcome({ capabilities }), 0);
  const open = (is: boolean): void => {
    panel.open = is;
    view.opened?.(is);
  };
  const hear = (count: number, boids: number, flock: number, at: number): void => {
    const sighting = { ...snapshot({ tick: at, time: 1000 * at, boids: [[0, 0]] }), flock, measures: MEASURES };
    model.apply({ kind: 'sighting', sighting }, at);
    model.apply({ kind: 'clusters', count, boids }, at);
    view.frame?.({ now: at } as never);
  };
  const row = (): string[] => ['.value', '.unit'].map((part) => find(document, `[data-figure=clusters] ${part}`).textContent ?? '');
  const points = (): number => (find(document, '[data-figure=clusters] polyline').getAttribute('points') ?? '').split(' ').filter(Boolean).length;
  const isHidden = (): boolean => find<HTMLElement>(document, '[data-figure=clusters]').hidden;
  return { model, open, hear, row, points, isHidden, subscribed };
}

test('clusters are subscribed to while the measures are open', () => {
  const { open, hear, row, subscribed } = setUp(['topics']);
  open(true);
  assert.deepEqual(subscribed, [true]);
  hear(4, 300, 300, 1000);
  assert.deepEqual(row(), ['4', '']);
  hear(12, 12_500, 25_000, 2000);
  assert.deepEqual(row(), ['12', 'sampled']);
  open(false);
  assert.deepEqual(subscribed, [true, false]);
});

test('the course of clusters has the last counts of this room', () => {
  const { model, open, hear, points } = setUp(['topics']);
  open(true);
  for (const at of [1000, 2000, 3000]) hear(at / 1000, 300, 300, at);
  assert.equal(points(), 3);
  model.apply(welcome({ capabilities: ['topics'] }), 3500);
  assert.equal(model.clusters(), null);
  hear(5, 300, 300, 4000);
  assert.equal(points(), 1);
});

test('without topics the server counts no clusters, and no row is shown', () => {
  const { open, isHidden, subscribed } = setUp([]);
  open(true);
  assert.deepEqual(subscribed, []);
  assert.equal(isHidden(), true);
});
