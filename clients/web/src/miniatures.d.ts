/** The presets' miniatures by name, which the build computes with flock-sim (miniatures.mjs). */
declare module 'flock:miniatures' {
  export const miniatures: Readonly<Record<string, import('./flock/miniature').Miniature>>;
}
