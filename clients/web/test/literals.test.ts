// The code has no texts for people outside src/texts/. A literal counts as such a text if the code shows it, or if it looks like a
// sentence.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import type TS from 'typescript';
import { en } from '../src/texts/en';
import { LANGUAGES } from '../src/texts/texts';

// The compiler is large, so it is not a part of this file's bundle.
const ts = createRequire(`${REPOSITORY}/clients/web/package.json`)('typescript') as typeof TS;
const SOURCE = `${REPOSITORY}/clients/web/src`;
const SHOWN_BY = new Set(['setText', 'toast', 'say', 'append', 'prepend', 'replaceChildren', 'alert', 'refuse', 'fillText']);
const SHOWN_IN = new Set(['textContent', 'innerText', 'innerHTML', 'title', 'placeholder', 'ariaLabel', 'alt']);
const SHOWN_ATTRIBUTES = new Set(['title', 'aria-label', 'aria-valuetext', 'placeholder', 'alt']);
const JOINS = new Set([ts.SyntaxKind.PlusToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken]);
const SENTENCE = /\p{L}{2,}[,:;]? \p{L}+/u;
const BRAND = '… · flock'; // in the window's title
// Strings of CSS, fonts and the canvas that look like sentences.
const NO_TEXT = /^(\(|#|\.|:|\[|rgb\(|[\w-]+\(|button, |\d+px |translate|[a-z]+(, |:))|system-ui|^steers$|^fullscreen; clip/;

const all = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).map((name) => `${SOURCE}/${name}`);
const files = all.filter((name) => /(?<!\.test)\.ts$/.test(name));
const pages = all.filter((name) => name.endsWith('.html'));
const parse = (file: string): TS.SourceFile => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);

/** Whether the code around this literal shows it. */
function isShown(node: TS.Node): boolean {
  const { parent } = node;
  if (ts.isConditionalExpression(parent) || ts.isParenthesizedExpression(parent)) return isShown(parent);
  if (ts.isBinaryExpression(parent)) {
    if (JOINS.has(parent.operatorToken.kind)) return isShown(parent);
    if (parent.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return false;
    return ts.isPropertyAccessExpression(parent.left) && SHOWN_IN.has(parent.left.name.text);
  }
  if (ts.isPropertyAssignment(parent)) return parent.name !== node && SHOWN_ATTRIBUTES.has(parent.name.getText().replace(/['"]/g, ''));
  if (!ts.isCallExpression(parent)) return false;
  const called = ts.isPropertyAccessExpression(parent.expression) ? parent.expression.name.text : parent.expression.getText();
  const at = parent.arguments.indexOf(node as TS.Expression);
  if (called === 'make') return at >= 2;
  if (called === 'setAttribute') return at === 1 && SHOWN_ATTRIBUTES.has((parent.arguments[0] as TS.StringLiteral).text);
  return SHOWN_BY.has(called) && at >= 0;
}

/** Thrown errors and console texts are for developers. */
function isForProgrammers(node: TS.Node): boolean {
  for (let each = node.parent; each !== undefined; each = each.parent)
    if (ts.isThrowStatement(each) || (ts.isCallExpression(each) && /^console\./.test(each.expression.getText()))) return true;
  return false;
}

/** Whether the literal is a panel's own text in all languages: { en: …, ja: …, ko: … }. */
function isTranslated(node: TS.Node): boolean {
  for (let each = node.parent; each !== undefined; each = each.parent) {
    if (!ts.isPropertyAssignment(each) || !Object.hasOwn(LANGUAGES, each.name.getText())) continue;
    const names = (each.parent.properties as readonly TS.Node[]).map((one) => (ts.isPropertyAssignment(one) ? one.name.getText() : ''));
    return Object.keys(LANGUAGES).every((language) => names.includes(language));
  }
  return false;
}

function literals(file: string): string[] {
  const found: string[] = [];
  const visit = (node: TS.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) {
      const text = ts.isTemplateExpression(node)
        ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].map((each) => each.text).join('…')
        : node.text;
      const said = isShown(node) ? /\p{L}{2,}/u.test(text) : SENTENCE.test(text) && !NO_TEXT.test(text);
      if (said && text !== BRAND && !isForProgrammers(node) && !isTranslated(node)) found.push(`${file.slice(SOURCE.length + 1)}: ${text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

test('the code has no texts for people outside the language files', () => {
  const checked = files.filter((file) => !/\/texts\/|shaders\.ts$|\/net\//.test(file.slice(SOURCE.length)));
  assert.ok(checked.length > 40);
  assert.deepEqual(checked.flatMap(literals), []);
});

test('each text is used', () => {
  const sources = [...files.filter((file) => !/\/texts\/[a-z]{2}\.ts$/.test(file)), ...pages];
  const words = new Set(sources.flatMap((file) => readFileSync(file, 'utf8').match(/\w+/g) ?? []));
  const unused: string[] = [];
  for (const [group, texts] of Object.entries(en))
    if (typeof texts === 'object')
      for (const key of Object.keys(texts))
        if (!['params', 'choices', 'controls'].includes(group) && !words.has(key)) unused.push(`${group}.${key}`);
  assert.deepEqual(unused, []);
});

test('no sign on a button becomes a coloured picture: iOS shows those that are also emoji so', () => {
  const emoji = [...files, ...pages].flatMap((file) => {
    const signs = readFileSync(file, 'utf8').match(/(?![\d#*])\p{Emoji}/gu) ?? [];
    return signs.map((sign) => `${file.slice(SOURCE.length + 1)}: ${sign}`);
  });
  assert.deepEqual(emoji, []);
});
