// Where a C file can be mutated: its tokens, without comments, preprocessor lines and log lines.

const TOKEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|^[ \t]*#(?:\\\n|[^\n])*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|(?:0[xX][\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)[uUlLfF]*|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|[^\s\w]/gm;

const FLIPPED = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '==': '!=', '!=': '==' };
const SHIFTED = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const WORDS = new Set(['if', 'while', 'for', 'switch', 'return', 'sizeof', 'do', 'else', 'case', 'goto', 'assert', 'va_start', 'va_end', 'va_arg']);

/**
 * A place where a source can be changed: text from `start` to `end` becomes `text`.
 * @typedef {{ kind: 'comparison' | 'call' | 'off by one', line: number, start: number, end: number, from: string, text: string }} Site
 */

// 100, 2000: ms, bytes or parts; one more of them is no defect.
export const isQuantity = (text) => /^\d+00?[uU]?$/.test(text) && text.length > 2;

const isWord = (token) => token !== undefined && /^[A-Za-z_]/.test(token.text);

// The token that closes the parenthesis at `open`, by index.
function closeOf(tokens, open) {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (tokens[i].text === '(') depth++;
    if (tokens[i].text === ')' && --depth === 0) return i;
  }
  return -1;
}

// Whether the bracket at `i` begins an array's length in its declaration. A longer array works as well.
const isLength = (tokens, i) => tokens[i].text === '[' && isWord(tokens[i - 1]) && isWord(tokens[i - 2]) && !WORDS.has(tokens[i - 2].text);

// The statement from token `i` on that is nothing but a call: the index of its semicolon, or -1.
function callAt(tokens, i, inFunction) {
  const before = tokens[i - 1]?.text;
  const name = tokens[i].text === '(' && tokens[i + 1]?.text === 'void' && tokens[i + 2]?.text === ')' ? i + 3 : i;
  if (!inFunction || ![';', '{', '}'].includes(before) || !isWord(tokens[name]) || WORDS.has(tokens[name].text) || tokens[name + 1]?.text !== '(') return -1;
  if (/^log_|^LOG/.test(tokens[name].text)) return -1; // no contract covers log lines
  const close = closeOf(tokens, name + 1);
  return close > 0 && tokens[close + 1]?.text === ';' ? close + 1 : -1;
}

/** @returns {Site[]} */
export function findSites(source) {
  const sites = [];
  let line = 1;
  let at = 0;
  const tokens = [];
  for (const { 0: text, index } of source.matchAll(TOKEN)) {
    for (; at < index; at++) if (source[at] === '\n') line++;
    if (!/^(\/\*|\/\/|\s*#)/.test(text)) tokens.push({ text, start: index, end: index + text.length, line });
  }
  let depth = 0;
  let skipped = -1; // the last token of the present assert(), which says what cannot happen, or of an array's length
  const open = []; // of each brace: whether it begins a function's body or a block in one
  for (const [i, token] of tokens.entries()) {
    const { text, start, end } = token;
    const inFunction = open.at(-1) === true;
    if (text === 'assert' || text === 'static_assert') skipped = closeOf(tokens, i + 1);
    if (isLength(tokens, i)) skipped = tokens.findIndex((other, index) => index > i && other.text === ']');
    if (i <= skipped) continue;
    const add = (kind, to, upTo = end) => sites.push({ kind, line: token.line, start, end: upTo, from: source.slice(start, upTo), text: to });
    if (text === '{') open.push(tokens[i - 1]?.text === ')' || inFunction && tokens[i - 1]?.text !== '=');
    if (text === '}') open.pop();
    depth = open.length;
    const binary = isWord(tokens[i - 1]) || /^[\d)\]'"]/.test(tokens[i - 1]?.text ?? '');
    if (depth > 0 && binary && text in FLIPPED) add('comparison', FLIPPED[text]);
    if (depth > 0 && binary && text in SHIFTED) add('off by one', SHIFTED[text]);
    if (inFunction && /^\d+[uU]?$/.test(text) && !isQuantity(text)) add('off by one', text.replace(/^\d+/, (digits) => String(BigInt(digits) + 1n)));
    const semicolon = callAt(tokens, i, inFunction);
    if (semicolon > 0) add('call', ';', tokens[semicolon].end);
  }
  return sites;
}
