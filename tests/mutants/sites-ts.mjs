// Where a TypeScript file of the page can be mutated, by its syntax tree.
import { createRequire } from 'node:module';
import { isQuantity } from './sites-c.mjs';

const require = createRequire(new URL('../../clients/web/package.json', import.meta.url));
const ts = /** @type {typeof import('typescript')} */ (require('typescript'));

const FLIPPED = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '===': '!==', '!==': '===' };
const SHIFTED = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };

/** @returns {import('./sites-c.mjs').Site[]} */
export function findSites(source) {
  const file = ts.createSourceFile('mutated.ts', source, ts.ScriptTarget.ES2022, true);
  const sites = [];
  const add = (kind, node, text) => {
    const start = node.getStart(file);
    sites.push({ kind, line: file.getLineAndCharacterOfPosition(start).line + 1, start, end: node.end, from: source.slice(start, node.end), text });
  };
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken.getText(file);
      if (operator in FLIPPED) add('comparison', node.operatorToken, FLIPPED[operator]);
      if (operator in SHIFTED) add('off by one', node.operatorToken, SHIFTED[operator]);
    }
    if (ts.isNumericLiteral(node) && /^\d+$/.test(node.getText(file)) && !isQuantity(node.text)) add('off by one', node, String(BigInt(node.text) + 1n));
    if (ts.isExpressionStatement(node)) {
      const inner = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
      if (ts.isCallExpression(inner)) add('call', node, ';');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return sites;
}
