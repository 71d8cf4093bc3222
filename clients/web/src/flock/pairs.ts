// Pairs of a minimum and a maximum, such as min_speed and max_speed.

import type { Param } from '../net/protocol';

export interface Pair {
  other: Param;
  least: boolean; // the given parameter is the minimum
}

/** Returns the other parameter of the pair, or null if the parameter is in no pair. */
export function pairOf(params: readonly Param[], name: string): Pair | null {
  const words = name.split('_');
  const at = words.findIndex((word) => word === 'min' || word === 'max');
  if (at < 0) return null;
  const least = words[at] === 'min';
  words[at] = least ? 'max' : 'min';
  const other = params.find((param) => param.name === words.join('_'));
  return other === undefined ? null : { other, least };
}

/** Returns the least and the greatest value that the parameter can have now. */
export function limitsOf(params: readonly Param[], { name, min, max }: Param): [number, number] {
  const pair = pairOf(params, name);
  if (pair === null) return [min, max];
  return pair.least ? [min, Math.min(max, pair.other.value)] : [Math.max(min, pair.other.value), max];
}

/** Returns the parameters to set back to their initial values, in an order that keeps each minimum below its maximum. */
export function waysBack(params: readonly Param[]): Param[] {
  const widens = ({ name, initial, value }: Param): boolean => {
    const pair = pairOf(params, name);
    return pair !== null && (pair.least ? initial < value : initial > value);
  };
  const moved = params.filter(({ initial, value }) => initial !== value);
  return [...moved.filter(widens), ...moved.filter((param) => !widens(param))];
}
