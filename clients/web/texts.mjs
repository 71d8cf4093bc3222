// Texts in six languages have the same keys. In the pages, the keys stand once. Each language is a list of its texts in their order,
// and a list of its functions. That makes the pages 12 KB smaller:
//
//   const en = { join: 'Join', keys: { help: 'Help', page: (n) => `Page ${n}` } };
//   const de = { join: 'Los!', keys: { help: 'Hilfe', page: (n) => `Seite ${n}` } };
//
//   const en = keyed('Join\nHelp', [(n) => `Page ${n}`]);
//   const de = keyed('Los!\nHilfe', [(n) => `Seite ${n}`]);
//   function keyed(lines, others) { … return { join: text(), keys: { help: text(), page: other() } } }

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const OTHERS = ['de', 'es', 'fr', 'ja', 'ko'];
const LANGUAGES = ['en', ...OTHERS];
const OF_THE_START_PAGE = /^ {2}start: \{\n.*?^ {2}\},\n/gms; // texts that only the start page uses
const TEXT = 'text()'; // a value that is text in all languages
const OTHER = 'other()'; // a function, or an object with keys of its own
const KEYS = 'flock:keys'; // the module with the keys of texts/LANGUAGE.ts

/**
 * The bundler's plugin. folder: texts/. ofRoom: whether the page is a room's, which does without the texts of the start page.
 * more(path): text that is appended to the source with that path.
 */
export const textsOf = (folder, ofRoom, more) => ({
  name: 'texts',
  setup(bundler) {
    const sourceOf = (path) => {
      const source = readFileSync(path, 'utf8');
      return ofRoom ? source.replace(OF_THE_START_PAGE, '') : source;
    };
    const load = (filter, contentsOf) =>
      bundler.onLoad({ filter, namespace: 'file' }, ({ path }) => ({ loader: 'ts', contents: contentsOf(path) + more(path) }));
    const shape = shapeOf(OTHERS.flatMap((language) => literalsOf(sourceOf(join(folder, `${language}.ts`)))));
    load(/texts\/en\.ts$/, sourceOf);
    load(new RegExp(`texts/(${OTHERS.join('|')})\\.ts$`), (path) => {
      const source = sourceOf(path);
      return `import { keyed } from '${KEYS}';\n${listed(source, literalsOf(source), shape)}`;
    });
    bundler.onResolve({ filter: new RegExp(KEYS) }, ({ path }) => ({ path, namespace: 'texts' }));
    bundler.onLoad({ filter: new RegExp(KEYS), namespace: 'texts' }, () => ({ contents: `export ${keyedOf(shape)}` }));
    load(/(texts\/[a-z-]{3,}|\/texts)\.ts$/, (path) => {
      const source = readFileSync(path, 'utf8');
      const literals = literalsOf(source);
      if (literals.length < LANGUAGES.length) return source;
      const own = shapeOf(literals);
      return `${listed(source, literals, own)}\n${keyedOf(own)}`;
    });
  },
});

/** Returns the objects with a language's name: constants and properties such as `de`. */
function literalsOf(source) {
  const found = [];
  const visit = (node) => {
    const named = (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) && LANGUAGES.includes(node.name.getText());
    if (named && node.initializer && ts.isObjectLiteralExpression(node.initializer)) found.push(node.initializer);
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('texts.ts', source, ts.ScriptTarget.Latest, true));
  return found;
}

/**
 * Returns the shape of the values in all languages: an object of shapes, by the keys that all values share; or TEXT; or OTHER.
 */
function shapeOf(values) {
  if (values.every(isText)) return TEXT;
  const fields = values.map(fieldsOf);
  const [first] = fields;
  const same = fields.every((each) => each && each.size === first?.size && [...each.keys()].every((key) => first.has(key)));
  return same ? [...first.keys()].map((key) => [key, shapeOf(fields.map((each) => each.get(key)))]) : OTHER;
}

const isText = (node) => ts.isStringLiteralLike(node) && !node.text.includes('\n');

/** Returns an object's values by their keys, which are source text. */
function fieldsOf(node) {
  if (!ts.isObjectLiteralExpression(node)) return null;
  const fields = new Map();
  for (const each of node.properties) {
    if (ts.isShorthandPropertyAssignment(each)) fields.set(each.name.text, each.name);
    else if (ts.isPropertyAssignment(each) && !ts.isComputedPropertyName(each.name)) fields.set(each.name.getText(), each.initializer);
    else return null;
  }
  return fields;
}

/** Replaces the objects by their lists. */
function listed(source, literals, shape) {
  return literals.reduceRight((text, node) => {
    const values = valuesIn(node, shape);
    const of = (kind) => values.filter(([each]) => each === kind).map(([, value]) => value);
    const lines = of(TEXT).map(({ text: value }) => value);
    return `${text.slice(0, node.getStart())}keyed(${JSON.stringify(lines.join('\n'))}, [${of(OTHER).map((each) => each.getText())}])${text.slice(node.end)}`;
  }, source);
}

/** Returns the values in the order of the keys, each with its kind. */
const valuesIn = (node, shape) =>
  typeof shape === 'string' ? [[shape, node]] : shape.flatMap(([key, inner]) => valuesIn(fieldsOf(node).get(key), inner));

const keyedOf = (shape) => `function keyed(lines, others) {
  const texts = lines.split('\\n');
  const text = () => texts.shift();
  const other = () => others.shift();
  return ${objectOf(shape)};
}`;

const objectOf = (shape) => (typeof shape === 'string' ? shape : `{${shape.map(([key, inner]) => `${key}: ${objectOf(inner)}`)}}`);
