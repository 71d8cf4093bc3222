// Types of the imports of HTML files and style sheets. The build makes them modules.

declare module '*.html' {
  /** The contents of the file. */
  const text: string;
  export default text;
}

declare module '*.css' {
  /** The path of the style sheet, relative to the module's file. */
  const path: string;
  export default path;
}
