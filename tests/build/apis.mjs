// Which APIs a program uses, and which browsers lack them. TypeScript's types tell the interface that a member belongs to; MDN's data
// tells since which version a browser has that member.
import { createRequire } from 'node:module';
import ts from 'typescript';

const data = createRequire(import.meta.url)('@mdn/browser-compat-data');

// Names of browserslist, and the browsers of MDN's data that have the same versions.
const BROWSERS = {
  chrome: ['chrome', 'chrome_android'],
  edge: ['edge'],
  firefox: ['firefox', 'firefox_android'],
  safari: ['safari'],
  ios_saf: ['safari_ios'],
};

/** Browsers of browserslist queries such as 'safari >= 16.4'. @returns {[string, string][]} MDN's name and the oldest version */
export function browsersOf(queries) {
  return queries.flatMap((query) => {
    const [, name, version] = query.match(/^(\w+) >= ([\d.]+)$/);
    return BROWSERS[name].map((browser) => [browser, version]);
  });
}

/** Whether version a is b or older, such as '16.10' and '16.4'. */
function isUpTo(a, b) {
  const [left, right] = [a, b].map((version) => version.replace('≤', '').split('.').map(Number));
  const at = [0, 1, 2].find((index) => (left[index] ?? 0) !== (right[index] ?? 0)) ?? 0;
  return (left[at] ?? 0) <= (right[at] ?? 0);
}

/** Whether a browser of that version has a feature by its standard name, without a setting. */
function has(statement, version) {
  const { version_added: added, version_removed: removed } = statement;
  if (statement.flags || statement.prefix || statement.alternative_name || typeof added !== 'string' || added === 'preview') return false;
  return isUpTo(added, version) && !(typeof removed === 'string' && isUpTo(removed, version));
}

/** The browsers that lack an entry of MDN's data. */
export function lacking({ __compat: { support } }, browsers) {
  const without = browsers.filter(([browser, version]) => support[browser] && ![support[browser]].flat().some((each) => has(each, version)));
  return without.map((browser) => browser.join(' '));
}

/** The entry of a style's property, at-rule or pseudo-class. */
export const styleFeature = (kind, name) => known(data.css[kind][name]);

const known = (entry) => (entry?.__compat ? entry : undefined);

function memberFeature(owner, name) {
  const { builtins } = data.javascript;
  const event = name.startsWith('on') ? `${name.slice(2)}_event` : undefined;
  const interfaces = [data.api[owner], builtins[owner], builtins.Intl[owner], ...(/^(Ui|I)nt\d+(Clamped)?Array$|^Float\d+Array$/.test(owner) ? [builtins.TypedArray] : [])];
  for (const each of interfaces) {
    const found = known(each?.[name]) ?? known(each?.[`${name}_static`]) ?? known(each?.[event]);
    if (found) return found;
  }
  if (owner !== 'CSSStyleDeclaration') return undefined;
  return known(data.css.properties[name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)]);
}

const globalFeature = (name) => known(data.api[name]) ?? known(data.javascript.builtins[name]) ?? memberFeature('Window', name) ?? memberFeature('EventTarget', name);

const isOfLibrary = (symbol) => symbol?.declarations?.some((each) => /\/lib\.[\w.]*d\.ts$/.test(each.getSourceFile().fileName)) ?? false;

// An interface's name in MDN's data.
const ownerName = (name) => name.replace(/^Readonly(?=Array|Map|Set)|Constructor$/g, '');

/** The names of a type and of all that it extends, the nearest first. */
function* namesOf(type, checker) {
  for (const part of type.isUnionOrIntersection() ? type.types : [checker.getApparentType(type)]) {
    if (part !== type && part.isUnionOrIntersection()) yield* namesOf(part, checker);
    if (part.symbol) yield ownerName(part.symbol.name);
    for (const base of part.getBaseTypes() ?? []) yield* namesOf(base, checker);
  }
}

/** The interfaces that declare a member; for `declare var URL: { … }`, the variable. */
function* declaringNames(symbol) {
  for (const { parent } of symbol.declarations) {
    if (ts.isInterfaceDeclaration(parent)) yield ownerName(parent.name.text);
    if (ts.isTypeLiteralNode(parent) && ts.isVariableDeclaration(parent.parent)) yield parent.parent.name.getText();
    if (ts.isModuleBlock(parent) && ts.isModuleDeclaration(parent.parent)) yield parent.parent.name.getText();
  }
}

const isName = (node) => ts.isIdentifier(node) && !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node);
const isConstant = (name) => /^[A-Z][A-Z0-9_]*$/.test(name);

/**
 * The uses of a browser's APIs in some of a program's files. `feature` is the entry of MDN's data, undefined if it has none. A member
 * of a value whose type is unknown is not found.
 * @returns {{ api: string, place: string, feature: any }[]}
 */
export function apisIn(program, isAsked) {
  const checker = program.getTypeChecker();
  const uses = [];
  for (const file of program.getSourceFiles().filter(({ fileName }) => isAsked(fileName))) {
    const note = (node, api, feature) => {
      const { line, character } = file.getLineAndCharacterOfPosition(node.getStart());
      uses.push({ api, feature, place: `${file.fileName}:${line + 1}:${character + 1}` });
    };
    const noteMember = (node, name, symbol, type) => {
      if (!isOfLibrary(symbol) || isConstant(name)) return;
      const owners = [...declaringNames(symbol), ...namesOf(type, checker)];
      const owner = owners.find((each) => memberFeature(each, name));
      note(node, `${owner ?? owners[0]}.${name}`, owner ? memberFeature(owner, name) : owners.includes('globalThis') ? globalFeature(name) : undefined);
    };
    const noteEvent = (node, type, listener) => {
      const owner = [...namesOf(type, checker)].find((each) => memberFeature(each, `${listener.text}_event`));
      if (owner) note(node, `${owner} ${listener.text}`, memberFeature(owner, `${listener.text}_event`));
    };
    const visit = (node) => {
      if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
      ts.forEachChild(node, visit);
      if (ts.isPropertyAccessExpression(node)) {
        const type = checker.getTypeAtLocation(node.expression);
        noteMember(node.name, node.name.text, checker.getSymbolAtLocation(node.name), type);
        const first = ts.isCallExpression(node.parent) ? node.parent.arguments[0] : undefined;
        if (node.name.text === 'addEventListener' && first && ts.isStringLiteralLike(first)) noteEvent(first, type, first);
      } else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
        const name = (node.propertyName ?? node.name).getText();
        const type = checker.getTypeAtLocation(node.parent);
        noteMember(node, name, type.getProperty(name), type);
      } else if (isName(node)) {
        const symbol = checker.getSymbolAtLocation(node);
        const isGlobal = isOfLibrary(symbol) && symbol.declarations.some(({ parent }) => ts.isSourceFile(parent) || ts.isVariableDeclarationList(parent));
        if (isGlobal) note(node, /** @type {ts.Identifier} */ (node).text, globalFeature(node.getText()));
      }
    };
    visit(file);
  }
  return uses;
}
