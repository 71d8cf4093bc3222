// Pairs of a least and a greatest value, such as min_speed and max_speed: the first is at most the second.

import type { Param } from '../net/protocol';

export interface Pair {
  other: Param;
  least: boolean; // the one asked about is the least
}

/** The other one of the parameter's pair; null: it is of none. */
export function pairOf(params: readonly Param[], name: string): Pair | null {
  const words = name.split('_');
  const at = words.findIndex((word) => word === 'min' || word === 'max');
  if (at < 0) return null;
  const least = words[at] === 'min';
  words[at] = least ? 'max' : 'min';
  const other = params.find((param) => param.name === words.join('_'));
  return other === undefined ? null : { other, least };
}

/** The parameters that go back to their initial values, in an order in which no pair contradicts itself on the way. */
export function waysBack(params: readonly Param[]): Param[] {
  const widens = ({ name, initial, value }: Param): boolean => {
    const pair = pairOf(params, name);
    return pair !== null && (pair.least ? initial < value : initial > value);
  };
  const moved = params.filter(({ initial, value }) => initial !== value);
  return [...moved.filter(widens), ...moved.filter((param) => !widens(param))];
}
