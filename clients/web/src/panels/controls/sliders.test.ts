// A parameter on the page: its slider, the field for an exact value, and the button back to the initial value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TRACK_STEP, createScale } from './scale';
import { type SliderView, createSlider } from './sliders';
import { useLanguage } from '../../texts/texts';
import { createPage, find, fire, inputsIn } from '../../../test/document';

const page = createPage();

interface Bench {
  view: SliderView;
  slider: HTMLInputElement;
  field: HTMLInputElement;
  back: HTMLButtonElement;
  problem: HTMLElement;
  element: HTMLElement;
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
  const { element } = view;
  document.body.replaceChildren(element);
  const [field, slider] = inputsIn(element);
  view.show(value);
  return { view, slider, field, back: find<HTMLButtonElement>(element, '.back'), problem: find(element, '.problem'), element, did };
}

/** Types into the field and fires the browser's event. */
function type({ field }: Bench, text: string): void {
  field.focus();
  field.value = text;
  fire(field, 'input');
}

test('a value shows on the track and in the field, and reaches the listener', () => {
  const { slider, field, back, element } = setUp();
  assert.equal(element.getAttribute('data-param'), 'shyness');
  assert.equal(slider.value, String(scale.track(3)));
  assert.equal(slider.getAttribute('aria-valuetext'), '3 units');
  assert.equal(field.value, '3');
  assert.equal(element.style.getPropertyValue('--value'), String(scale.track(3)));
  assert.equal(element.style.getPropertyValue('--initial'), String(scale.track(2)));
  const about = find(element, '.about');
  assert.match(about.textContent, /how shy they are.*0.*10 units.*2/s);
  assert.equal(slider.getAttribute('aria-describedby'), about.id);
  assert.deepEqual([back.disabled, back.classList.contains('needless')], [false, false]);
});

test('decimals are written as the language writes them, and read so', async () => {
  await useLanguage('de');
  const bench = setUp(Math.fround(2.5));
  const { field, slider, did } = bench;
  await useLanguage('en');
  assert.equal(field.value, '2,5');
  assert.match(slider.getAttribute('aria-valuetext') ?? '', /^2,5 /);
  type(bench, '3,25');
  fire(field, 'change');
  assert.deepEqual(did, ['shyness 3.25']);
});

test('a float of 32 bits is shown without the digits that it lacks', () => {
  const { field, slider } = setUp(Math.fround(0.1));
  assert.equal(field.value, '0.1');
  assert.equal(slider.getAttribute('aria-valuetext'), '0.1 units');
});

test('at the initial value the button back is hidden', () => {
  const { back } = setUp(2);
  assert.deepEqual([back.disabled, back.classList.contains('needless')], [true, true]);
});

test('the button back sets the initial value and focuses the slider', () => {
  const { back, slider, did } = setUp();
  back.focus();
  back.click();
  assert.deepEqual(did, ['shyness 2']);
  assert.equal(document.activeElement, slider);
  fire(slider, 'dblclick');
  assert.deepEqual(did, ['shyness 2', 'shyness 2']);
});

test('a slider sends values as it moves, and is held from press to release', () => {
  const { slider, did } = setUp();
  fire(slider, 'pointerdown');
  slider.value = '0.5'; // the middle of the track, where the initial value is
  fire(slider, 'input');
  slider.value = '1';
  fire(slider, 'input');
  fire(page, 'pointerup');
  fire(page, 'pointerup'); // of another press
  fire(slider, 'pointerdown');
  fire(page, 'pointercancel');
  assert.deepEqual(did, ['grab shyness', 'shyness 2', 'shyness 10', 'release shyness', 'grab shyness', 'release shyness']);
});

test('Enter and leaving the field set an exact value, with a point or a comma', () => {
  const bench = setUp();
  const { field, did } = bench;
  type(bench, ' 4,25 ');
  assert.deepEqual(fire(field, 'keydown', { key: 'Enter' }), { prevented: true, arrived: false });
  type(bench, '1e1');
  fire(field, 'change');
  type(bench, '０．５'); // an input method's digits
  fire(field, 'change');
  assert.deepEqual(did, ['shyness 4.25', 'shyness 10', 'shyness 0.5']);
});

test('an invalid value is not sent, stays to be corrected, and is marked as wrong', () => {
  for (const text of ['', 'wrong', '-0.1', '10.5', 'Infinity', '1 2']) {
    const bench = setUp();
    const { view, field, problem, did } = bench;
    type(bench, text);
    fire(field, 'change');
    assert.deepEqual([did, field.value, problem.hidden, field.getAttribute('aria-invalid')], [[], text, false, 'true'], text);
    view.show(5); // another presenter moves it
    assert.equal(field.value, text);
    type(bench, '6');
    fire(field, 'change');
    assert.deepEqual([did, problem.hidden, field.getAttribute('aria-invalid')], [['shyness 6'], true, null]);
  }
});

test('an unchanged value is not sent again', () => {
  const bench = setUp();
  type(bench, '3.0');
  fire(bench.field, 'change');
  assert.deepEqual([bench.did, bench.field.value], [[], '3']);
});

test('other people’s changes do not disturb typing, and Escape undoes the typing', () => {
  const bench = setUp();
  const { view, field, slider, did } = bench;
  type(bench, '7');
  view.show(4);
  assert.equal(field.value, '7');
  assert.equal(slider.value, String(scale.track(4)));
  assert.deepEqual(fire(field, 'keydown', { key: 'Escape' }), { prevented: true, arrived: false }, 'and the panel stays');
  assert.deepEqual([field.value, did, document.activeElement], ['4', [], slider]);
});

test('arrow keys in the field move the value by a step of the slider, and not beyond its ends', () => {
  const { view, field, did } = setUp();
  fire(field, 'keydown', { key: 'ArrowUp' });
  fire(field, 'keydown', { key: 'ArrowDown' });
  assert.deepEqual(
    did,
    [1, -1].map((step) => `shyness ${scale.value(scale.track(3) + step * TRACK_STEP)}`),
  );
  view.show(10);
  fire(field, 'keydown', { key: 'ArrowUp' });
  assert.equal(did.at(-1), 'shyness 10');
  assert.deepEqual(fire(field, 'keydown', { key: '5' }), { prevented: false, arrived: true });
});

test('a refused value stays in the field until the value changes', () => {
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
  fire(field, 'change');
  view.review();
  assert.deepEqual([field.value, problem.hidden], ['wrong', false], 'what is wrong otherwise is still wrong');
});

test('leaving the field does not send a refused value again; Enter does', () => {
  const bench = setUp();
  const { view, field, did } = bench;
  type(bench, '9');
  fire(field, 'keydown', { key: 'Enter' });
  view.refuse('too shy', 9, () => true);
  fire(field, 'change');
  assert.deepEqual([did, bench.problem.hidden], [['shyness 9'], false]);
  fire(field, 'keydown', { key: 'Enter' });
  assert.deepEqual(did, ['shyness 9', 'shyness 9']);
  view.refuse('too shy', 9, () => true);
  type(bench, '8');
  fire(field, 'change');
  assert.deepEqual(did.slice(2), ['shyness 8']);
});

test('a value that is being typed stays when a refused value becomes valid', () => {
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
