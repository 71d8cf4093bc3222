// The marks on the timeline, and the name of a recording's file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { make } from '../../app/dom';
import type { PastChange } from '../../flock/model';
import type { Past } from '../../net/protocol';
import { createPage, fire } from '../../../test/document';
import { room } from '../../../test/samples';
import { type Marks, createMarks } from './marks';
import { fileName } from './recording';

const SPAN = 10; // s
const TICK = 1 / 30; // s

const change = (back: number, text: string): PastChange => ({ back, text });

/** The marks of a past of ten seconds, on a line of 500 pixels. moment: what the room shows. */
function setUp(all: PastChange[], past: Partial<Past> = {}): { marks: Marks; track: HTMLElement; said: HTMLElement; moment: { back: number } } {
  createPage();
  const line = make('input', { type: 'range' });
  Object.defineProperty(line, 'clientWidth', { value: 500 });
  const track = make('div', {}, line);
  const said = make('span', {});
  document.body.append(track, said);
  const moment = { back: 0 };
  const marks = createMarks({
    ...{ track, line, said },
    model: { marks: () => all, past: () => ({ kind: 'past', shown: true, span: SPAN, back: moment.back, speed: 0, ...past }), room: () => room() },
    go(back) {
      moment.back = back;
      marks.show(back);
    },
  });
  marks.show(0);
  return { marks, track, said, moment };
}

test('the buttons go to every mark, also to those of neighbouring ticks', () => {
  const backs = [5, 5 - TICK, 5 - 4 * TICK, 2];
  const { marks, said, moment } = setUp(backs.map((back, index) => change(back, `change ${index}`)));
  for (const index of [3, 2, 1, 0]) {
    marks.jump(-1);
    assert.deepEqual([moment.back, said.textContent], [backs[index], `change ${index}`]);
  }
  assert.equal(marks.next(-1), null, 'this is the first change');
  for (const index of [1, 2, 3]) {
    marks.jump(1);
    assert.deepEqual([moment.back, said.textContent], [backs[index], `change ${index}`]);
  }
  assert.equal(marks.next(1), null, 'this is the last change');
});

test('while the past plays, the button back leaves a mark that has just been passed', () => {
  const { marks } = setUp([change(5, 'first'), change(3, 'second')], { speed: 1 });
  marks.show(2.9);
  assert.equal(marks.next(-1)?.text, 'first');
  marks.show(2.5);
  assert.equal(marks.next(-1)?.text, 'second');
});

test('changes at one moment are told together', () => {
  const { marks, said } = setUp([change(5, 'Ada: cursors scare'), change(5, 'Ada: policy nearest')]);
  marks.show(5);
  assert.equal(said.textContent, 'Ada: cursors scare · Ada: policy nearest');
});

test('a pointer takes the moment of a near mark until it is lifted, or until the browser scrolls with it', () => {
  for (const end of ['pointerup', 'pointercancel']) {
    const { marks, track } = setUp([change(5, 'a change')]);
    assert.equal(marks.snap(5.1), 5.1, 'a key');
    fire(track, 'pointerdown', { clientX: 0 });
    assert.equal(marks.snap(5.1), 5);
    assert.equal(marks.snap(5.5), 5.5, 'farther than the pointer can be');
    fire(track, end);
    assert.equal(marks.snap(5.1), 5.1, `a key after ${end}`);
  }
});

test('a recording’s file is called by title and day, without the signs that systems forbid', () => {
  const day = new Date(2026, 10, 25);
  assert.equal(fileName('Class 7b', 'FK72MX', day), 'Class 7b 2026-11-25.flock');
  assert.equal(fileName('..Birds/a:b?', 'FK72MX', day), 'Birds a b 2026-11-25.flock');
  assert.equal(fileName('Class 7b: bees', 'FK72MX', day), 'Class 7b bees 2026-11-25.flock');
  assert.equal(fileName('???', 'FK72MX', day), 'FK72MX 2026-11-25.flock', 'a title with only such signs');
});
