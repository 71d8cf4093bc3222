// What the build makes of files that are no modules.

declare module '*.html' {
  /** The contents of the file. */
  const text: string;
  export default text;
}

declare module '*.css' {
  /** Where it is, relative to the module's file. */
  const path: string;
  export default path;
}
