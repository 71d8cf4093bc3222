/** The repository's root, put in by build.mjs. */
declare const REPOSITORY: string;
