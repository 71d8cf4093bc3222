// Layers that a presenter shows to everyone, and the colours of clusters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeCanvases } from '../../../test/canvas';
import { room } from '../../../test/samples';
import { LAYER_NAMES } from '../../app/shown-layers';
import { clustersOf, colorClusters } from '../../draw/clusters';
import type { ChosenColoring } from '../../draw/look';
import type { Frame } from '../../flock/timeline';
import type { Context } from '../../app/context';
import { mount } from './index';

function setUp(kept: Record<string, boolean> = {}) {
  fakeCanvases();
  const here = room();
  const on = new Map<string, boolean>();
  const colorings: (ChosenColoring | null)[] = [];
  const set = (layers: string, coloring: string): void => {
    here.controls = Object.entries({ layers, coloring }).map(([name, value]) => ({ name, value, choices: [], text: '' }));
  };
  const start = () =>
    mount({
      layers: { add: () => undefined, show: (name: string, is: boolean) => void on.set(name, is) },
      settings: { wasOpen: (id: string) => kept[id] ?? null },
      looks: { impose: (coloring: ChosenColoring | null) => void colorings.push(coloring) },
      model: { room: () => here },
    } as unknown as Context);
  const shown = (): string => LAYER_NAMES.filter((name) => on.get(name) === true).join('+');
  return { here, on, set, start, shown, colorings };
}

test('without a presenter’s choice each person has the layers of the earlier visit', () => {
  const { set, start, shown, colorings } = setUp({ 'layer-links': true, centroid: false });
  set('free', 'free');
  start();
  assert.deepEqual([shown(), colorings], ['trails+target+links+rules', []]);
});

test('a presenter’s choice replaces the person’s, who may change it until the next one', () => {
  const { here, on, set, start, shown, colorings } = setUp();
  set('links', 'clusters');
  const view = start(); // a latecomer
  assert.deepEqual([shown(), colorings], ['links', ['clusters']]);
  on.set('trails', true);
  view.room?.(here); // another change of the room
  assert.equal(shown(), 'trails+links');
  set('none', 'boid');
  view.room?.(here);
  assert.deepEqual([shown(), colorings.at(-1)], ['', 'own']);
  set('free', 'free');
  view.room?.(here);
  assert.deepEqual([shown(), colorings.at(-1)], ['trails+target+centroid+rules', null]);
});

/** A frame of boids at these places, quanta. */
const frame = (places: readonly (readonly [number, number])[]): Frame => ({ positions: Int16Array.from(places.flat()), count: places.length, stride: 1 }) as unknown as Frame;

test('boids that are connected by neighbours are a cluster, in a torus across its edges', () => {
  const line = frame([[0, 0], [9, 0], [300, 0], [18, 0], [27, 0], [300, 9], [-100, 50]]);
  assert.deepEqual([...clustersOf(line, room({ period: null }), 10)], [0, 0, 2, 0, 0, 2, 6]);
  assert.deepEqual([...clustersOf(line, room({ period: null }), 8)], [0, 1, 2, 3, 4, 5, 6]);
  const edges = frame([[-498, 0], [497, 0], [0, -399], [0, 398]]);
  assert.deepEqual([...clustersOf(edges, room({ period: [1000, 800] }), 10)], [0, 0, 2, 2]);
  assert.deepEqual([...clustersOf(edges, room({ period: null }), 10)], [0, 1, 2, 3]);
});

test('clusters agree with all pairs of boids', () => {
  let seed = 7;
  const random = (size: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * size) - size / 2;
  };
  for (const period of [null, [600, 500] as const]) {
    const places = Array.from({ length: 300 }, () => [random(600), random(500)] as const);
    const plain = places.map((_, i) => i);
    const apart = (a: number, b: number, size: number): number => Math.min(Math.abs(a - b), period === null ? Infinity : size - Math.abs(a - b));
    for (let again = true; again; ) {
      again = false;
      for (const [i, a] of places.entries())
        for (const [j, b] of places.entries())
          if (apart(a[0], b[0], 600) ** 2 + apart(a[1], b[1], 500) ** 2 < 25 ** 2 && plain[i] < plain[j]) {
            plain[j] = plain[i];
            again = true;
          }
    }
    assert.deepEqual([...clustersOf(frame(places), room({ period: period && [...period] }), 25)], plain);
  }
});

test('clusters of at least 3 boids have different colours, others are grey', () => {
  const out = new Uint8Array(9);
  colorClusters(Uint32Array.from([0, 0, 0, 3, 3, 5, 5, 5, 8]), out);
  assert.deepEqual([...out], [1, 1, 1, 0, 0, 6, 6, 6, 0]);
});
