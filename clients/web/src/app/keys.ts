// The table of the page's keys, and their listener. A key that steers is never a shortcut.
//
// The place of a key on the keyboard decides whether it steers. The character that a key types decides its shortcut. On an AZERTY
// keyboard the key that types Z is where W is on an English keyboard: it steers, and does not undo.

import type { Status } from '../net/connection';
import type { Role } from '../net/protocol';
import type { HelpTexts } from '../texts/en-help';
import type { Language } from '../texts/texts';

export type KeyAction = keyof HelpTexts['keys'];

export interface KeyRow {
  key: string; // the character that it types, in small letters, or the key's name
  action: string;
  text?: Readonly<Partial<Record<Language, string>>>; // for the help; missing: it is in texts/help.ts
  who: 'everyone' | 'presenter';
  repeats?: true; // while it is held
  closes?: string; // the dialog that the key closes
  inFields?: true; // also while the focus is in a field
}

/** In the order of the help. */
export const KEYS: readonly (KeyRow & { action: KeyAction })[] = [
  { key: 'l', action: 'look', who: 'everyone' },
  { key: 'y', action: 'why', who: 'everyone' },
  { key: 'k', action: 'draw', who: 'everyone' },
  { key: 't', action: 'theme', who: 'everyone' },
  { key: 'm', action: 'measures', who: 'everyone' },
  { key: 'g', action: 'plots', who: 'everyone' },
  { key: 'c', action: 'centroid', who: 'everyone' },
  { key: 'n', action: 'people', who: 'everyone' },
  { key: 'i', action: 'invite', who: 'everyone', closes: 'invite' },
  { key: 'v', action: 'projector', who: 'everyone' },
  { key: 'q', action: 'codeSize', who: 'everyone' },
  { key: 'h', action: 'names', who: 'everyone' },
  { key: 'f', action: 'fullscreen', who: 'everyone' },
  { key: '0', action: 'wholeFlock', who: 'everyone' },
  { key: '?', action: 'help', who: 'everyone', closes: 'help' },
  { key: 'escape', action: 'leave', who: 'everyone', inFields: true },
  { key: 'p', action: 'controls', who: 'presenter' },
  { key: ' ', action: 'run', who: 'presenter' },
  { key: '.', action: 'step', who: 'presenter', repeats: true },
  { key: 'r', action: 'rewind', who: 'presenter' },
  { key: 'b', action: 'add', who: 'presenter' },
  { key: '+', action: 'addHere', who: 'presenter', repeats: true },
  { key: '-', action: 'remove', who: 'presenter', repeats: true },
  { key: 'z', action: 'undo', who: 'presenter' },
];

/** The direction of each key that steers, by KeyboardEvent.code, which names the key's place after an English keyboard. */
export const STEERING: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  KeyA: [-1, 0],
  ArrowRight: [1, 0],
  KeyD: [1, 0],
  ArrowUp: [0, -1],
  KeyW: [0, -1],
  ArrowDown: [0, 1],
  KeyS: [0, 1],
};

/** Keys that the focused element uses: none (page), the arrow keys (choice), or all (text). */
export type Focus = 'page' | 'choice' | 'text';

export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat' | 'target'>;

/** Carries out an action. Returns false if the action does not apply now: then the browser handles the key. */
export type KeyRun = (press: KeyPress) => unknown;

export interface Keys {
  /** Sets the functions that carry out actions. */
  on(runs: Partial<Record<KeyAction, KeyRun>>): void;
  /** Adds the key of one panel. */
  addRow(row: KeyRow, run: KeyRun): void;
  /** All keys, in the order of the help. */
  rows(): readonly KeyRow[];
  /** Carries out what a key does. Returns whether it did anything. */
  down(press: KeyPress, focus: Focus): boolean;
  /** Whether letters and signs are shortcuts. People who use speech recognition turn this off, because it types letters by mistake. */
  shortcuts(): boolean;
  useShortcuts(use: boolean): void;
  /** Stores that this keyboard types the letter `key` at `code`, unless a key press has shown another letter. */
  learn(code: string, key: string): void;
  /** The letters that this keyboard types, by KeyboardEvent.code, as far as known. */
  typed: ReadonlyMap<string, string>;
}

export interface KeysOptions {
  status(): Status;
  role(): Role;
  steering: { keyDown(code: string, now: number): boolean; releaseKeys(): void };
  shortcuts: boolean;
  keepShortcuts(use: boolean): void;
  /** Whether that dialog is open. */
  isOpen(dialog: string): boolean;
}

const LETTER = /^Key([A-Z])$/;

export function createKeys({ status, role, steering, shortcuts, keepShortcuts, isOpen }: KeysOptions): Keys {
  const rows: KeyRow[] = [...KEYS];
  const runs: Partial<Record<string, KeyRun>> = {}; // by action
  const typed = new Map<string, string>();

  const rowOf = (key: string): KeyRow | undefined => rows.find((each) => each.key === key);

  /** Whether the table allows the key's action now. */
  function applies({ who, repeats, closes, inFields }: KeyRow, { repeat }: KeyPress, focus: Focus): boolean {
    if (who === 'presenter' && role() !== 'presenter') return false;
    if (repeat && repeats === undefined) return false;
    return focus !== 'text' || inFields === true || (closes !== undefined && isOpen(closes));
  }

  function learnKey(code: string, key: string): void {
    if (LETTER.test(code) && /^[a-z]$/i.test(key)) typed.set(code, key.toUpperCase());
  }

  return {
    on: (more) => void Object.assign(runs, more),
    addRow(row, run) {
      if (rows.some(({ key, action }) => key === row.key || action === row.action)) throw new Error(`two actions have the key ${row.key}`);
      rows.push(row);
      runs[row.action] = run;
    },
    rows: () => rows,
    down(press, focus) {
      const { code, ctrlKey, metaKey, altKey } = press;
      // While Cmd is held, macOS sends no keyup for other keys.
      if (metaKey || press.key === 'Meta') steering.releaseKeys();
      if (ctrlKey || metaKey || altKey || status().kind === 'closed') return false;
      learnKey(code, press.key);
      const key = keyOf(press);
      if (!shortcuts && key.length === 1 && focus !== 'text') return false;
      if (Object.hasOwn(STEERING, code)) return focus === 'page' && steering.keyDown(code, performance.now());
      const row = rowOf(key) ?? (press.shiftKey ? undefined : rowOf(digitAt(code)));
      if (row === undefined || !applies(row, press, focus)) return false;
      const run = runs[row.action];
      return run !== undefined && run(press) !== false;
    },
    shortcuts: () => shortcuts,
    learn: (code, key) => typed.has(code) || learnKey(code, key),
    useShortcuts(use) {
      shortcuts = use;
      keepShortcuts(use);
    },
    typed,
  };
}

/** Listens to the window's keys as long as the page lives. */
export function listenToKeys(keys: Keys, steering: { keyUp(code: string): void; releaseKeys(): void }): void {
  // An input method has keys of its own. In Safari the key that ends a word is not `isComposing`, but has the keyCode 229.
  const ofWord = ({ isComposing, keyCode, target }: KeyboardEvent): boolean => isComposing || (keyCode === 229 && focusOf(target) === 'text');
  addEventListener('keydown', (event) => ofWord(event) && event.stopImmediatePropagation(), true);
  addEventListener('keydown', (event) => {
    if (keys.down(event, focusOf(event.target))) event.preventDefault();
  });
  addEventListener('keyup', (event) => {
    if (event.key === 'Meta') steering.releaseKeys();
    steering.keyUp(event.code);
  });
  addEventListener('blur', () => steering.releaseKeys());
}

/** Returns the character of a shortcut, in small letters. If the keyboard writes Korean, Japanese or Greek, it is the letter at the same
 * place of an English keyboard. The same holds for keys that type W, A, S or D. A sign of full width becomes one of half width. */
export function keyOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const plain = key.normalize('NFKC').toLowerCase();
  const latin = /^(?:Key|Digit)(\w)$/.exec(code);
  const byPlace = key === 'Process' || /[^\x20-\x7e]/.test(plain) || /^[wasd]$/.test(plain);
  return byPlace && latin !== null ? latin[1].toLowerCase() : plain;
}

/** Returns the digit of the key, or an empty string. A French keyboard types digits with Shift, and signs without it. */
const digitAt = (code: string): string => /^Digit(\d)$/.exec(code)?.[1] ?? '';

export function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof Element)) return 'page';
  if (target.closest('dialog:not([open])') !== null) return 'page'; // a closed dialog keeps the focus until the next frame
  if (target.closest('input:not([type=checkbox]), textarea, select, dialog') === null) return 'page';
  return target.closest('[type=range], [type=radio]') === null ? 'text' : 'choice';
}
