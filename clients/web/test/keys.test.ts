import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Focus, KEYS, type KeyAction, type KeyPress, createKeys, keyOf, listenToKeys } from '../src/app/keys';
import type { Status } from '../src/net/connection';
import type { Role } from '../src/net/protocol';
import { createSteering } from '../src/app/input';
import { labelOf, steeringLabels } from '../src/panels/help/labels';
import { help } from '../src/texts/en-help';
import { createPage, find, fire, set } from './document';
import { room } from './samples';

function setUp(role: Role = 'presenter', shortcuts = true) {
  const done: string[] = [];
  const open = new Set<string>();
  const page: { status: Status } = { status: { kind: 'connected' } };
  const steering = createSteering({ cursor: () => true, away: () => undefined }, room);
  const keys = createKeys({
    status: () => page.status,
    role: () => role,
    steering: {
      keyDown: (code, now) => steering.keyDown(code, now) && done.push(`steer ${code}`) > 0,
      releaseKeys: () => done.push('let go'),
    },
    shortcuts,
    keepShortcuts: (use) => done.push(`shortcuts ${use}`),
    isOpen: (id) => open.has(id),
  });
  for (const { action } of KEYS) keys.on({ [action]: () => done.push(action) });
  const press = (key: string, code: string, more: Partial<KeyPress> = {}, focus: Focus = 'page'): boolean =>
    keys.down(
      { ...{ key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, target: null }, ...more },
      focus,
    );
  return { keys, done, open, page, press };
}

const LAYOUTS: Record<string, [code: string, key: string, does: string][]> = {
  AZERTY: [
    ['KeyW', 'z', 'steer KeyW'],
    ['KeyA', 'q', 'steer KeyA'],
    ['KeyS', 's', 'steer KeyS'],
    ['KeyD', 'd', 'steer KeyD'],
    ['KeyZ', 'w', 'undo'],
    ['KeyQ', 'a', 'codeSize'],
    ['Semicolon', 'm', 'measures'],
    ['KeyM', '?', 'help'],
    ['Comma', '.', 'step'],
    ['Digit6', '-', 'remove'],
    ['Digit0', 'à', 'wholeFlock'],
  ],
  Dvorak: [
    ['KeyW', ',', 'steer KeyW'],
    ['KeyA', 'a', 'steer KeyA'],
    ['KeyS', 'o', 'steer KeyS'],
    ['KeyD', 'e', 'steer KeyD'],
    ['KeyP', 'l', 'look'],
    ['KeyR', 'p', 'controls'],
    ['KeyE', '.', 'step'],
    ['Slash', 'z', 'undo'],
    ['KeyX', 'q', 'codeSize'],
    ['KeyH', 'd', 'names'],
    ['Semicolon', 's', ''],
    ['Comma', 'w', ''],
  ],
  QWERTY: [
    ['KeyW', 'w', 'steer KeyW'],
    ['KeyW', 'W', 'steer KeyW'],
    ['ArrowUp', 'ArrowUp', 'steer ArrowUp'],
    ['KeyR', 'r', 'rewind'],
    ['KeyZ', 'z', 'undo'],
    ['KeyQ', 'Q', 'codeSize'],
    ['Space', ' ', 'run'],
    ['Escape', 'Escape', 'leave'],
    ['KeyX', 'x', ''],
  ],
  Korean: [
    ['KeyW', 'ㅈ', 'steer KeyW'],
    ['KeyZ', 'ㅋ', 'undo'],
    ['KeyL', 'ㅣ', 'look'],
  ],
};

for (const [layout, presses] of Object.entries(LAYOUTS)) {
  test(`each key of a ${layout} keyboard does one thing`, () => {
    const { done, press } = setUp();
    for (const [code, key, does] of presses) {
      done.length = 0;
      assert.equal(press(key, code), does !== '', `${key} at ${code}`);
      assert.deepEqual(done, does === '' ? [] : [does], `${key} at ${code}`);
    }
  });
}

test('the table has each key and each action once, and each action has a text', () => {
  assert.equal(new Set(KEYS.map(({ key }) => key)).size, KEYS.length);
  assert.deepEqual(KEYS.map(({ action }) => action).sort(), (Object.keys(help.keys) as KeyAction[]).sort());
});

test('keys of presenters do nothing for viewers', () => {
  const { done, press } = setUp('viewer');
  for (const { key } of KEYS) press(key, '');
  assert.deepEqual(
    done,
    KEYS.filter(({ who }) => who === 'everyone').map(({ action }) => action),
  );
});

test('with Ctrl, Alt or Cmd a key goes to the browser; Cmd releases keys that steer', () => {
  const { done, press } = setUp();
  for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }]) {
    assert.equal(press('l', 'KeyL', more), false);
    assert.equal(press('w', 'KeyW', more), false);
  }
  assert.deepEqual(done, ['let go', 'let go']);
});

test('a held key repeats only actions that may repeat', () => {
  const { done, press } = setUp();
  for (const { key } of KEYS) press(key, '', { repeat: true });
  assert.deepEqual(done, ['step', 'addHere', 'remove']);
});

test('a field takes letters, a slider the arrow keys, and a dialog all keys except the one that closes it', () => {
  const { done, open, press } = setUp();
  press('l', 'KeyL', {}, 'text');
  press('w', 'KeyW', {}, 'text');
  press('ArrowUp', 'ArrowUp', {}, 'choice');
  press('z', 'KeyW', {}, 'choice'); // AZERTY
  press('?', 'Slash', {}, 'text');
  assert.deepEqual(done, []);
  press('l', 'KeyL', {}, 'choice');
  open.add('help');
  press('?', 'Slash', {}, 'text');
  press('i', 'KeyI', {}, 'text');
  assert.deepEqual(done, ['look', 'help']);
});

test('Escape is a key of everyone, also in a field', () => {
  for (const role of ['viewer', 'presenter'] as const) {
    const { done, press } = setUp(role);
    for (const focus of ['page', 'choice', 'text'] as const) assert.ok(press('Escape', 'Escape', {}, focus));
    assert.deepEqual(done, ['leave', 'leave', 'leave']);
  }
});

test('shortcuts with letters and signs can be switched off, also for steering', () => {
  const { keys, done, press } = setUp('presenter', false);
  for (const [key, code] of [
    ['l', 'KeyL'],
    ['w', 'KeyW'],
    ['?', 'Slash'],
    [' ', 'Space'],
  ])
    assert.equal(press(key, code), false, key);
  assert.ok(press('ArrowUp', 'ArrowUp'));
  assert.ok(press('Escape', 'Escape'));
  keys.useShortcuts(true);
  assert.ok(press('l', 'KeyL'));
  assert.deepEqual(done, ['steer ArrowUp', 'leave', 'shortcuts true', 'look']);
});

test('behind a final notice no key does anything', () => {
  const { done, page, press } = setUp();
  page.status = { kind: 'closed', code: 3506, reason: '' };
  for (const [code, key] of LAYOUTS['QWERTY']) assert.equal(press(key, code), false, key);
  assert.deepEqual(done, []);
});

test('the browser keeps a key whose action does not apply', () => {
  const { keys, press } = setUp();
  keys.on({ run: () => false });
  assert.equal(press(' ', 'Space'), false);
});

test('the help names keys by their labels', () => {
  const { keys, press } = setUp();
  const label = (action: KeyAction): string => labelOf(KEYS.find((row) => row.action === action) ?? KEYS[0], keys);
  assert.deepEqual(steeringLabels(keys), ['W', 'A', 'S', 'D']);
  assert.deepEqual([label('undo'), label('run'), label('leave'), label('help')], ['Z', 'Space', 'Esc', '?']);
  keys.learn('KeyQ', 'x');
  keys.learn('KeyA', 'q'); // from the browser's layout
  for (const [code, key] of LAYOUTS['AZERTY']) press(key, code);
  keys.learn('KeyW', 'w'); // a browser without a keyboard
  assert.deepEqual(steeringLabels(keys), ['Z', 'Q', 'S', 'D']);
  assert.deepEqual([label('undo'), label('codeSize'), label('look')], ['W', 'A', 'L']);
});

test('the keys of the page work while a keyboard writes another script', () => {
  const SCRIPTS: [key: string, code: string, is: string][] = [
    ['l', 'KeyL', 'l'],
    ['L', 'KeyL', 'l'],
    ['ㅣ', 'KeyL', 'l'], // Korean
    ['Process', 'KeyL', 'l'], // an input method that processes the key
    ['ｌ', 'KeyL', 'l'], // of full width
    ['λ', 'KeyL', 'l'],
    ['？', 'Slash', '?'],
    ['＋', 'Semicolon', '+'],
    ['a', 'KeyQ', 'q'], // a French keyboard has Q where A steers
    ['ö', 'Semicolon', 'ö'],
    ['à', 'Digit0', '0'],
    ['Escape', 'Escape', 'escape'],
    [' ', 'Space', ' '],
  ];
  for (const [key, code, is] of SCRIPTS) assert.equal(keyOf({ key, code }), is, key);
});

test('while an input method makes a word, its keys do nothing in the page: Escape takes back the word, not the whole name', () => {
  const page = createPage('<input><button></button>');
  set('Element', page.Element);
  const { keys, done } = setUp();
  listenToKeys(keys, { keyUp: () => undefined, releaseKeys: () => undefined });
  const [field, button] = [find<HTMLInputElement>(document, 'input'), find(document, 'button')];
  field.addEventListener('keydown', () => done.push('field'));
  fire(field, 'keydown', { key: 'Escape', code: 'Escape', isComposing: true });
  fire(field, 'keydown', { key: 'Escape', code: 'Escape', isComposing: false, keyCode: 229 }); // Safari
  assert.deepEqual(done, []);
  fire(field, 'keydown', { key: 'Escape', code: 'Escape', isComposing: false, keyCode: 27 });
  assert.deepEqual(done.splice(0), ['field', 'leave']);
  fire(button, 'keydown', { key: 'Process', code: 'KeyL', isComposing: false, keyCode: 229 });
  assert.deepEqual(done, ['look'], 'elsewhere it makes no word');
});

test('the keys of teams are digits without Shift, also where a keyboard types signs with them', () => {
  const { keys, done, press } = setUp();
  for (const key of ['1', '3']) keys.addRow({ key, action: `team-${key}`, who: 'everyone' }, () => done.push(`team ${key}`));
  press('&', 'Digit1'); // AZERTY
  press('"', 'Digit3');
  press('1', 'Digit1', { shiftKey: true });
  assert.deepEqual(done.splice(0), ['team 1', 'team 3', 'team 1']);
  assert.equal(press('!', 'Digit1', { shiftKey: true }), false, 'QWERTY');
  press('-', 'Digit6');
  press('+', 'Digit1'); // Czech
  assert.deepEqual(done, ['remove', 'addHere'], 'the sign has a meaning of its own');
});
