/** The path of the repository's root. build.mjs defines it. */
declare const REPOSITORY: string;
