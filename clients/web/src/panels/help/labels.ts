// The labels of keys on this person's keyboard, as far as known.

import type { KeyRow, Keys } from '../../app/keys';

const STEERING_LETTERS = ['KeyW', 'KeyA', 'KeyS', 'KeyD'];
const NAMES: Readonly<Record<string, string>> = { ' ': 'Space', escape: 'Esc' };

/** Returns the label of a row's key. */
export function labelOf({ key }: Pick<KeyRow, 'key'>, { typed }: Pick<Keys, 'typed'>): string {
  const name = NAMES[key] ?? key.toUpperCase();
  const steers = STEERING_LETTERS.some((code) => typed.get(code) === name);
  return (steers ? typed.get(`Key${name}`) : undefined) ?? name;
}

/** Returns the labels of the keys that steer, without the arrow keys. */
export const steeringLabels = ({ typed }: Pick<Keys, 'typed'>): string[] => STEERING_LETTERS.map((code) => typed.get(code) ?? code.slice(-1));
