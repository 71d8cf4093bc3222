/** The path of the repository's root. build.mjs defines it. */
declare const REPOSITORY: string;

declare module '*/miniatures.mjs' {
  export function line(values: readonly number[]): string;
}
