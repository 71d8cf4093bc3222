// A parameter on the page: its slider, the field for an exact value, and the way back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TRACK_STEP, createScale } from '../src/ui/scale';
import { type SliderView, createSlider } from '../src/ui/sliders';
import { type FakeNode, createDocument, fake, page } from './document';

const window = createDocument();

interface Bench {
  view: SliderView;
  slider: FakeNode;
  field: FakeNode;
  back: FakeNode;
  problem: FakeNode;
  element: FakeNode;
  did: string[];
}

const of = { name: 'shyness', unit: 'units', min: 0, max: 10, initial: 2, value: 3, text: 'how shy they are' };
const scale = createScale(of);

function setUp(value = of.value): Bench {
  const did: string[] = [];
  const view = createSlider(of, {
    grab: (name) => did.push(`grab ${name}`),
    release: (name) => did.push(`release ${name}`),
    change: (name, to) => did.push(`${name} ${to}`),
  });
  const element = fake(view.element);
  const [field, slider] = [
    ...element.classed('exact').tagged('input'),
    ...element.tagged('input').filter((each) => each.getAttribute('type') === 'range'),
  ];
  view.show(value);
  return { view, slider, field, back: element.classed('back'), problem: element.classed('problem'), element, did };
}

/** Types into the field, as the browser tells of it. */
function type({ field }: Bench, text: string): void {
  field.focus();
  field.value = text;
  field.hear('input');
}

test('a value is shown on the track, in the field, and to who listens', () => {
  const { slider, field, back, element } = setUp();
  assert.equal(element.getAttribute('data-param'), 'shyness');
  assert.equal(slider.value, String(scale.track(3)));
  assert.equal(slider.getAttribute('aria-valuetext'), '3 units');
  assert.equal(field.value, '3');
  assert.equal(element.styles.get('--value'), String(scale.track(3)));
  assert.equal(element.styles.get('--initial'), String(scale.track(2)));
  const about = element.classed('about');
  assert.match(about.textContent, /how shy they are.*0.*10 units.*2/s);
  assert.equal(slider.getAttribute('aria-describedby'), about.id);
  assert.deepEqual([back.disabled, back.classes.has('needless')], [false, false]);
});

test('a float of 32 bits is shown without the digits that it lacks', () => {
  const { field, slider } = setUp(Math.fround(0.1));
  assert.equal(field.value, '0.1');
  assert.equal(slider.getAttribute('aria-valuetext'), '0.1 units');
});

test('at the initial value there is no way back', () => {
  const { back } = setUp(2);
  assert.deepEqual([back.disabled, back.classes.has('needless')], [true, true]);
});

test('the way back leads to the initial value, and the focus to the slider', () => {
  const { back, slider, did } = setUp();
  back.focus();
  back.click();
  assert.deepEqual(did, ['shyness 2']);
  assert.equal(page.focused, slider);
  slider.hear('dblclick');
  assert.deepEqual(did, ['shyness 2', 'shyness 2']);
});

test('the slider changes as it moves, and is held from down to up', () => {
  const { slider, did } = setUp();
  slider.hear('pointerdown');
  slider.value = '0.5'; // in the middle of the track is the initial value
  slider.hear('input');
  slider.value = '1';
  slider.hear('input');
  window.dispatchEvent(new Event('pointerup'));
  window.dispatchEvent(new Event('pointerup')); // of something else
  slider.hear('pointerdown');
  window.dispatchEvent(new Event('pointercancel'));
  assert.deepEqual(did, ['grab shyness', 'shyness 2', 'shyness 10', 'release shyness', 'grab shyness', 'release shyness']);
});

test('an exact value is taken with Enter or when the field is left, with a point or a comma', () => {
  const bench = setUp();
  const { field, did } = bench;
  type(bench, ' 4,25 ');
  assert.deepEqual(field.hear('keydown', { key: 'Enter' }), { prevented: true, arrived: false });
  type(bench, '1e1');
  field.hear('change');
  assert.deepEqual(did, ['shyness 4.25', 'shyness 10']);
});

test('what is no value of it is not sent, stays to be corrected, and is said to be wrong', () => {
  for (const text of ['', 'wrong', '-0.1', '10.5', 'Infinity', '1 2']) {
    const bench = setUp();
    const { view, field, problem, did } = bench;
    type(bench, text);
    field.hear('change');
    assert.deepEqual([did, field.value, problem.hidden, field.getAttribute('aria-invalid')], [[], text, false, 'true'], text);
    view.show(5); // somebody else moves it
    assert.equal(field.value, text);
    type(bench, '6');
    field.hear('change');
    assert.deepEqual([did, problem.hidden, field.getAttribute('aria-invalid')], [['shyness 6'], true, null]);
  }
});

test('the value that it has is not sent again', () => {
  const bench = setUp();
  type(bench, '3.0');
  bench.field.hear('change');
  assert.deepEqual([bench.did, bench.field.value], [[], '3']);
});

test('while one types nobody’s change is in the way, and Escape takes it back', () => {
  const bench = setUp();
  const { view, field, slider, did } = bench;
  type(bench, '7');
  view.show(4);
  assert.equal(field.value, '7');
  assert.equal(slider.value, String(scale.track(4)));
  assert.deepEqual(field.hear('keydown', { key: 'Escape' }), { prevented: true, arrived: false }, 'and the panel stays');
  assert.deepEqual([field.value, did, page.focused], ['4', [], slider]);
});

test('arrow keys in the field go a step of the slider, and not beyond its ends', () => {
  const { view, field, did } = setUp();
  field.hear('keydown', { key: 'ArrowUp' });
  field.hear('keydown', { key: 'ArrowDown' });
  assert.deepEqual(
    did,
    [1, -1].map((step) => `shyness ${scale.value(scale.track(3) + step * TRACK_STEP)}`),
  );
  view.show(10);
  field.hear('keydown', { key: 'ArrowUp' });
  assert.equal(did.at(-1), 'shyness 10');
  assert.deepEqual(field.hear('keydown', { key: '5' }), { prevented: false, arrived: true });
});

test('what the server refuses stays in the field as long as that is so', () => {
  const bench = setUp();
  const { view, field, problem } = bench;
  let so = true;
  view.review();
  assert.equal(field.value, '3');
  view.refuse('too shy', Math.fround(9.9), () => so);
  assert.deepEqual([field.value, problem.textContent, problem.hidden], ['9.9', 'too shy', false]);
  view.show(3);
  view.review();
  assert.equal(field.value, '9.9');
  so = false;
  view.review();
  assert.deepEqual([field.value, problem.hidden, field.getAttribute('aria-invalid')], ['3', true, null]);
  view.refuse('too shy', 9, () => so);
  type(bench, 'wrong');
  field.hear('change');
  view.review();
  assert.deepEqual([field.value, problem.hidden], ['wrong', false], 'what is wrong otherwise is still wrong');
});

test('who leaves the field does not ask again for what was refused; who presses Enter does', () => {
  const bench = setUp();
  const { view, field, did } = bench;
  type(bench, '9');
  field.hear('keydown', { key: 'Enter' });
  view.refuse('too shy', 9, () => true);
  field.hear('change');
  assert.deepEqual([did, bench.problem.hidden], [['shyness 9'], false]);
  field.hear('keydown', { key: 'Enter' });
  assert.deepEqual(did, ['shyness 9', 'shyness 9']);
  view.refuse('too shy', 9, () => true);
  type(bench, '8');
  field.hear('change');
  assert.deepEqual(did.slice(2), ['shyness 8']);
});

test('another value that is being typed stays when what was refused would be taken now', () => {
  const bench = setUp();
  const { view, field, problem } = bench;
  let so = true;
  view.refuse('too shy', 9, () => so);
  type(bench, '8');
  so = false;
  view.review();
  view.show(3);
  assert.deepEqual([field.value, problem.hidden], ['8', true]);
});
