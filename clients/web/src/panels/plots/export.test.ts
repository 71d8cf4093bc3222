import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room } from '../../../test/samples';
import type { Sample } from '../../flock/samples';
import { timesOf } from './columns';
import { fileName, tableOf } from './export';

const here = room({ tickRate: 10 });
const sample = (tick: number): Sample => ({
  ...{ tick, flock: 400, target: [13, 54], clusters: null },
  measures: { polarization: 0.123456789, milling: 0, centroid: [10, 50], radius: 30, speed: 2, nearest: 5 },
});

test('the table has all measures of each sample, and who changed what since the one before', () => {
  const marks = [
    { at: 1.2, text: 'Ada: noise 0 → 0.5' },
    { at: 1.4, text: 'Ben reset the flock' },
  ];
  const [head, first, second, end] = tableOf([{ room: here, samples: [sample(10), sample(15)], marks }]).split('\r\n');
  assert.equal(head, 'tick,seconds,polarization,milling,radius,speed,nearest,clusters,boids,distance,changes');
  assert.equal(first, '10,1,0.123457,0,30,2,5,,400,5,');
  assert.equal(second, '15,1.5,0.123457,0,30,2,5,,400,5,Ada: noise 0 → 0.5; Ben reset the flock');
  assert.equal(end, '');
});

test('the table of two rooms has the code of each, and the time of each', () => {
  const there = room({ tickRate: 20, code: 'THERE' });
  const [head, first, second] = tableOf([
    { room: room({ tickRate: 10, code: 'HERE' }), samples: [sample(10)], marks: [] },
    { room: there, samples: [sample(10)], marks: [{ at: 0.3, text: 'Ada: noise 0 → 0.5' }] },
  ]).split('\r\n');
  assert.deepEqual(head.split(',').slice(0, 3), ['room', 'tick', 'seconds']);
  assert.equal(first, 'HERE,10,1,0.123457,0,30,2,5,,400,5,');
  assert.equal(second, 'THERE,10,0.5,0.123457,0,30,2,5,,400,5,Ada: noise 0 → 0.5');
});

test('a name neither breaks the table nor becomes a formula', () => {
  const cellOf = (text: string): string | undefined => tableOf([{ room: here, samples: [sample(10)], marks: [{ at: 1, text }] }]).split('\r\n')[1].split(',5,').at(-1);
  assert.equal(cellOf('Ann, "A" Lee: speed'), '"Ann, ""A"" Lee: speed"');
  assert.equal(cellOf('=HYPERLINK("x"): speed'), '"\'=HYPERLINK(""x""): speed"');
  for (const sign of ['+', '-', '@']) assert.equal(cellOf(`${sign}1: speed`), `'${sign}1: speed`);
});

test('a file is named after the span that it shows, or after its moment', () => {
  assert.equal(fileName(room({ code: 'HERE' }), timesOf({ from: 5, to: 3605 })), 'flock-HERE-0.05-1.00.05');
  assert.equal(fileName(room({ code: 'HERE' }), '1:05'), 'flock-HERE-1.05');
});
