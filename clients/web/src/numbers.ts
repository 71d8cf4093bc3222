// Small numeric helpers that more than one module needs.

export const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

export const mix = (a: number, b: number, t: number): number => a + (b - a) * t;

/** Returns the value below which that fraction of the values lies (nearest rank), or NaN without values. */
export function quantile(values: ArrayLike<number>, fraction: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? NaN : sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))];
}

export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
