// Writes all that is made from schema.mjs: the C tables, the page's and the tests' numbers, the tables of PROTOCOL.md.
//
//   node protocol/generate.mjs           writes the files that differ
//   node protocol/generate.mjs --check   writes nothing; names the files that differ and exits with 1
//
// The files are in the repository, so that neither the C build nor a reader of PROTOCOL.md needs Node.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SAFE, bound, closes, codes, fromClient, handlers, limits, messages, senders, traits } from './schema.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const UINT32 = 2 ** 32 - 1;
const NOTICE = 'Made from protocol/schema.mjs by `make protocol`: edit that.';

const constant = ({ name, constant: given }) => given ?? name.toUpperCase();
const client = messages.filter(fromClient);
const server = messages.filter((message) => !fromClient(message));
/** The fields that the table of fields describes, in C. Of a server's message without the optional ones. */
const tabled = ({ custom, map, fields, number }) => (custom && !map ? [] : fields.filter(({ kind, optional }) => kind !== null && (!optional || fromClient({ number }))));
const handledBy = (who) => client.filter(({ handler = 'room' }) => handler === who);
const hasTrait = ({ traits: has = '' }, trait) => has.split(' ').includes(trait);

// ---- C ----

const cBound = (value) => {
  if (typeof value === 'string') return `PROTO_${value}`;
  if (value === UINT32) return 'UINT32_MAX';
  if (value === SAFE) return '(UINT64_C(1) << 53) - 1';
  return typeof value === 'bigint' ? 'UINT64_MAX' : String(value);
};

const TEXTS = ['WORD', 'IDENTIFIER', 'LINE', 'TEXT'];
const C_TYPES = { UINT32: 'uint32_t', UINT32_NIL: 'uint32_t', TYPE: 'uint32_t', UINT64: 'uint64_t', NUMBER: 'float', POSITIVE: 'float', BOOL: 'bool', ROLE: 'enum proto_role', CODE: 'enum proto_code' };

function cMember({ name, kind, max, min, unit }) {
  const comment = unit ? ` /* ${unit} */` : '';
  if (TEXTS.includes(kind)) return `    char ${name}[${cBound(max)} + 1];${min > 0 || kind !== 'LINE' ? '' : ' /* may be "" */'}`;
  const has = kind === 'UINT32_NIL' ? `    bool has_${name};\n` : '';
  return `${has}    ${C_TYPES[kind]} ${name};${comment}`;
}

const cStruct = ({ name, fields }) => `struct proto_${name} {\n${fields.filter(({ kind }) => kind !== null).map(cMember).join('\n')}\n};\n`;

/** Whether the struct of a message is made here: it has one, of single values only. */
const hasStruct = ({ custom, struct, fields }) => !custom && !struct && fields.length > 0;

/** Rows of [code, comment], their comments in one column. */
function commented(rows) {
  const width = Math.max(...rows.map(([code]) => code.length));
  return rows.map(([code, comment]) => `${code.padEnd(width)} /* ${comment} */`).join('\n');
}

const aligned = (rows) => {
  const width = Math.max(...rows.map((row) => row.length));
  return rows.map((row) => row.padEnd(width)).join(' \\\n').trimEnd();
};

function cTypes() {
  const row = (message) => {
    const left = `    X(${message.number}, ${constant(message)}, ${message.name}, ${senders[message.who][0]}, ${message.answered === true},`;
    return left.padEnd(56) + Object.keys(traits).map((trait) => Number(hasTrait(message, trait))).join(', ') + ')';
  };
  const note = `    /* ${`${Object.keys(traits).join(', ')} */`.padStart(96)}`;
  return `/* The messages of flock.v1: numbers, senders, traits, bounds, and structs of messages that are a
 * list of single values.
 * ${NOTICE} */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */

${commented(Object.entries(limits).map(([name, [value, text]]) => [`#define PROTO_${name} ${value}u`, text]))}

/* The senders of messages. */
enum proto_sender {
${commented(Object.values(senders).map(([name, text]) => [`    ${name},`, text]))}
};

/* The traits of a client's message. */
enum proto_trait {
${commented(Object.values(traits).map(([name, text]) => [`    ${name},`, text]))}
    PROTO_TRAITS,
};

enum proto_role { PROTO_VIEWER, PROTO_PRESENTER };

/* The codes of errors in PROTOCOL.md. */
enum proto_code {
    PROTO_OK,
${Object.keys(codes).map((name) => `    PROTO_E_${name.toUpperCase()},`).join('\n')}
};
#define PROTO_CODES ${1 + Object.keys(codes).length}u /* PROTO_OK included */

enum proto_close {
${closes.filter(([, name]) => name !== null).map(([value, name]) => `    PROTO_CLOSE_${name} = ${value},`).join('\n')}
};

enum proto_type {
${messages.map((message) => `    PROTO_${constant(message)} = ${message.number},`).join('\n')}
};

#define PROTO_SERVER_TYPES 64u /* the first number of a server's message; clients' are below */
#define PROTO_TYPES 128u /* all numbers are below */

/* X(number, NAME, name, sender, answered, traits ...): from a client. An answered message may end
 * in a tag, and gets one \`done\` or \`error\`; any other gets at most an error. The traits are in the
 * order of enum proto_trait. */
${aligned(['#define PROTO_CLIENT_MESSAGES(X)', note, ...client.map(row)])}

${['room', 'scene'].map((who) => `/* X(number, name): a client's messages that the ${who} handles, in ${handlers[who]}. */
${aligned([`#define PROTO_${who.toUpperCase()}_MESSAGES(X)`, ...handledBy(who).map(({ number, name }) => `    X(${number}, ${name})`)])}
`).join('\n')}
/* X(name): the messages of a client that have fields, each with a struct of that name. */
${aligned(['#define PROTO_CLIENT_STRUCTS(X)', ...client.filter(({ fields }) => fields.length > 0).map(({ name }) => `    X(${name})`)])}

/* X(number, NAME, name): from a server. */
${aligned(['#define PROTO_SERVER_MESSAGES(X)', ...server.map((message) => `    X(${message.number}, ${constant(message)}, ${message.name})`)])}

/* ---- from a client ---- */

${client.filter(hasStruct).map(cStruct).join('\n')}
/* ---- from a server ---- */

${server.filter(hasStruct).map(cStruct).join('\n')}
/* clang-format on */

#endif
`;
}

function cField(struct, { name, kind, min, max, optional, member = name }) {
  const at = struct.startsWith('enum') ? '0' : `offsetof(${struct}, ${member})`;
  const has = kind === 'UINT32_NIL' ? `, .has = offsetof(${struct}, has_${member})` : '';
  const bounds = max === undefined ? '' : `, .min = ${cBound(min)}, .max = ${cBound(max)}`;
  return `    {.name = "${name}", .kind = FIELD_${kind}, .offset = ${at}${has}${bounds}${optional ? ', .optional = true' : ''}},`;
}

function cFields() {
  const structOf = ({ name, struct }) => struct ?? `struct proto_${name}`;
  const array = (message, suffix) => `static const struct field ${constant(message).toLowerCase()}_${suffix}[] = {\n${tabled(message).map((field) => cField(structOf(message), field)).join('\n')}\n};\n`;
  const lists = messages.filter((message) => !message.map && tabled(message).length > 0);
  const maps = messages.filter(({ map }) => map);
  const texts = (message) => tabled(message).filter(({ kind }) => TEXTS.includes(kind));
  return `/* The fields of each message, for messages.c.
 * ${NOTICE} */
#ifndef PROTOCOL_FIELDS_H
#define PROTOCOL_FIELDS_H

#include "form.h"

/* clang-format off */

${lists.map((message) => array(message, 'fields')).join('\n')}
/* The keys of a map that are always there and have single values. */
${maps.map((message) => array(message, 'pairs')).join('\n')}
${maps.flatMap((message) => texts(message).map(({ name, max }) => `_Static_assert(sizeof((struct proto_${message.name} *)0)->${name} == ${cBound(max)} + 1, "${message.name}.${name}");`)).join('\n')}

#define FIELDS_ROW(array) {array, sizeof(array) / sizeof(array)[0]}

/* A message that is not here has no fields, or a decoder and an encoder of its own. */
static const struct fields fields[PROTO_TYPES] = {
${lists.map((message) => `    [PROTO_${constant(message)}] = FIELDS_ROW(${constant(message).toLowerCase()}_fields),`).join('\n')}
};

static const char *const code_names[PROTO_CODES] = {
    [PROTO_OK] = "ok",
${Object.keys(codes).map((name) => `    [PROTO_E_${name.toUpperCase()}] = "${name}",`).join('\n')}
};

/* clang-format on */

#endif
`;
}

// ---- TypeScript ----

const TS_TYPES = { UINT32: 'number', UINT32_NIL: 'number', NUMBER: 'number', BOOL: 'boolean', WORD: 'string', IDENTIFIER: 'string', LINE: 'string', ROLE: 'Role' };

const [hello] = messages;
const OPTION_TYPES = { 'bin or nil': 'Uint8Array | null', word: 'string', 'array of words': 'readonly string[]', uint: 'number' };
/** Whether an option of hello differs from its default, on the page. */
const DIFFERS = { nil: (name) => `${name} !== null`, none: (name) => `${name} !== ''`, 0: (name) => `${name} > 0`, '["plain"]': (name) => `${name}.join() !== 'plain'` };
const defaultOf = ({ missing }) => missing.replaceAll('`', '');

function tsHello() {
  const names = ['room', 'name', ...hello.options.map(({ name }) => name)];
  const option = ({ name, ...rest }) => `    ...(${DIFFERS[defaultOf(rest)](name)} && { ${name} }),`;
  return `/** The first message. Without an option: ${hello.options.map((each) => `${each.name} ${{ nil: 'null', none: "''" }[defaultOf(each)] ?? defaultOf(each)}`).join(', ')}. */
export interface Hello {
  room: string;
  name: string;
${hello.options.map(({ name, type }) => `  ${name}: ${OPTION_TYPES[type]};`).join('\n')}
}

/** Leaves out options that have their default. */
export const hello = ({ ${names.join(', ')} }: Hello) => [
  ${hello.number},
  ${hello.fields[0].range},
  room,
  name,
  {
${hello.options.map(option).join('\n')}
  },
];`;
}

function ts() {
  const plain = ({ name, number, fields }) => `export const ${name} = (${fields.map((field) => `${field.name}: number`).join(', ')}) => [${[number, ...fields.map((field) => field.name)].join(', ')}];`;
  const given = ({ name, optional }) => (optional ? `...(${name} === undefined ? [] : [${name}])` : name);
  const request = ({ name, number, fields }) => `  ${name}: (${fields.map((field) => `${field.name}${field.optional ? '?' : ''}: ${TS_TYPES[field.kind]}`).join(', ')}): Request => [${[number, ...fields.map(given)].join(', ')}],`;
  return `// The numbers, bounds and requests of flock.v1. ${NOTICE}

${messages.map((message) => `export const ${constant(message)} = ${message.number};`).join('\n')}

${Object.entries(limits).filter(([name]) => !name.startsWith('FLAG_')).map(([name, [value, text]]) => `export const ${name} = ${value.toLocaleString('en').replaceAll(',', '_')}; // ${text}`).join('\n')}

// Bits of a person's flags.
${Object.entries(limits).filter(([name]) => name.startsWith('FLAG_')).map(([name, [value]]) => `export const ${name} = ${value};`).join('\n')}

export type Role = 'viewer' | 'presenter';

/** A message that the server answers with one \`done\` or \`error\`. */
export type Request = readonly [type: number, ...fields: (string | number | boolean)[]];

export const request = {
${client.filter(({ answered }) => answered).map(request).join('\n')}
} as const;

// Messages that the server answers with no \`done\`.

${tsHello()}

${client.filter((message) => !message.answered && message !== hello).map(plain).join('\n')}
`;
}

// ---- what the page reads ----

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const value = (bound, known) => {
  if (typeof bound === 'string') return known.has(bound) ? camel(bound) : bound;
  return bound === UINT32 ? 'UINT32_MAX' : bound === 0xffffff ? '0xffffff' : bound === Number.MIN_VALUE ? 'Number.MIN_VALUE' : bound.toLocaleString('en', { maximumFractionDigits: 9 }).replaceAll(',', '_');
};

/** The reader of a field, by its kind if the schema gives none. */
function readerOf({ kind, min, max }, { read }) {
  if (read !== undefined) return read;
  if (kind === 'UINT32' || kind === 'UINT32_NIL' || kind === 'TYPE') return ['uint', min ?? 0, max ?? UINT32];
  if (kind === 'UINT64') return ['uint'];
  if (kind === 'NUMBER' || kind === 'POSITIVE') return ['number'];
  if (kind === 'BOOL') return ['bool'];
  if (kind === 'ROLE') return ['role'];
  if (TEXTS.includes(kind) || kind === 'CODE') return ['text'];
  throw new Error('schema.mjs does not say how the page reads a field');
}

/** The expression that reads the value `from`. name: for errors. known: fields that may be bounds. */
function reading([read, ...args], from, name, known = new Set()) {
  const each = (of) => `(each) => ${reading(of, 'each', name)}`;
  switch (read) {
    case 'list':
    case 'pair':
      return `${read}(${from}, '${name}', ${each(args[0])})`;
    case 'record': {
      const parts = Object.entries(args[0]).map(([field, of], index) => `${field}: ${reading(of, `of[${index}]`, `${name}.${field}`)}`);
      return `record(${from}, '${name}', (of) => ({ ${parts.join(', ')} }))`;
    }
    case 'message':
      return `${camel(`read_${args[0]}`)}(map(${from}, '${name}'))`;
    default:
      return `${read}(${[from, `'${name}'`, ...args.map((arg) => value(arg, known))].join(', ')})`;
  }
}

/** The parts of the object that the page makes of a message's fields, and the constants before it. */
function readFields({ map: isMap, fields }) {
  const names = new Set(fields.map(({ name }) => name));
  const at = (name) => (isMap ? `from['${name}']` : `from[${fields.findIndex((field) => field.name === name)}]`);
  const pages = fields.map(({ page = {} }) => (Array.isArray(page) ? { read: page } : page));
  const isBound = (name) => pages.some(({ read }) => read?.[0] === 'number' && read.includes(name));
  const before = [];
  const parts = fields.map((field, index) => {
    const { name, kind } = field;
    const page = pages[index];
    const { as = camel(name), missing, second, nil = ['UINT32_NIL', 'TYPE'].includes(kind) ? null : undefined } = page;
    const from = at(name);
    if (as === false && kind === null) return ''; // another field has read it
    const reader = readerOf(field, page);
    const read = second === undefined ? reading(reader, from, name, names) : `${reader[0]}(${from}, ${at(second)})`;
    if (as === false) {
      before.push(`  ${read};`);
      return '';
    }
    if (isBound(name)) {
      before.push(`  const ${as} = ${read};`);
      return `    ${as},`;
    }
    if (as === '...') return `    ...${read},`;
    if (missing !== undefined) return `    ${as}: ${from} ${isMap ? '=== undefined' : '== null'} ? ${JSON.stringify(missing).replaceAll('"', "'")} : ${read},`;
    if (nil !== undefined) return `    ${as}: ${from} === null ? ${nil} : ${read},`;
    if (field.optional && reader[0] !== 'integerOr0') return `    ...(${from} != null && { ${as}: ${read} }),`;
    return `    ${as}: ${read},`;
  });
  return { before, parts: parts.filter((part) => part !== '') };
}

function decoders() {
  const made = server.map((message) => {
    const { name, map: isMap } = message;
    const type = name === 'room' ? 'Room' : `Extract<ServerMessage, { kind: '${name}' }>`;
    const kind = name === 'room' ? [] : [`    kind: '${name}',`];
    const { before, parts } = readFields(message);
    return `function ${camel(`read_${name}`)}(from: ${isMap ? 'Fields' : 'List'}): ${type} {\n${[...before, '  return {', ...kind, ...parts, '  };'].join('\n')}\n}\n`;
  });
  const cases = server.map(({ name, map: isMap, ...message }) => {
    const read = `${camel(`read_${name}`)}(${isMap ? `map(from[0], '${name}')` : 'from'})`;
    return `    case ${constant({ name, ...message })}:\n      return ${name === 'room' ? `{ kind: 'room', room: ${read} }` : read};`;
  });
  const body = `${made.join('\n')}
/** Reads a message's fields. Throws Malformed if a field breaks the protocol. */
export function readMessage(type: number, from: List): ServerMessage {
  switch (type) {
${cases.join('\n')}
    default:
      return { kind: 'ignored', type };
  }
}
`;
  const constants = [...messages.map(constant), ...Object.keys(limits)].filter((name) => new RegExp(`(?<![\\w'])${name}\\b`).test(body)).sort();
  const readers = ['absent', 'bin', 'bins', 'bool', 'change', 'copy', 'flags', 'integerOr0', 'isTrue', 'list', 'map', 'measures', 'number', 'pair', 'record', 'role', 'target', 'text', 'uint', 'wall'];
  return `// Reads the server's messages. ${NOTICE}

import { ${constants.join(', ')} } from './messages';
import type { Room, ServerMessage } from './protocol';
import { type Fields, type List, UINT32_MAX, ${readers.filter((name) => new RegExp(`(?<!\\w)${name}\\(`).test(body)).join(', ')} } from './read';

${body}`;
}

// ---- tests ----

function tests() {
  return `// The numbers of flock.v1. ${NOTICE}
${messages.map((message) => `export const ${constant(message)} = ${message.number};`).join('\n')}

// Flags of a person in presence.
export const PRESENTER = ${limits.FLAG_PRESENTER[0]};
export const ACTIVE = ${limits.FLAG_ACTIVE[0]};
export const OWNER = ${limits.FLAG_OWNER[0]};
export const teamOf = (/** @type {number} */ flags) => (flags & ${limits.FLAG_TEAM[0]}) >> ${limits.TEAM_SHIFT[0]};

// Numbers of topics.
export const TOPIC_LEADS = ${limits.TOPIC_LEADS[0]};
export const TOPIC_MARKS = ${limits.TOPIC_MARKS[0]};
export const TOPIC_WHY = ${limits.TOPIC_WHY[0]};
export const TOPIC_SHOWN = ${limits.TOPIC_SHOWN[0]};
export const TOPIC_PUSHES = ${limits.TOPIC_PUSHES[0]};
export const TOPIC_SWEPT = ${limits.TOPIC_SWEPT[0]};

// How many elements each request has without a tag and optional fields.
export const ANSWERED = new Map([
${client.filter(({ answered }) => answered).map((message) => `  [${constant(message)}, ${1 + message.fields.filter(({ optional }) => !optional).length}],`).join('\n')}
]);
`;
}

// ---- PROTOCOL.md ----

const amount = (value) => bound(value).toLocaleString('en');
const TYPES = { UINT32: 'uint', UINT32_NIL: 'uint or nil', TYPE: 'uint or nil', UINT64: 'uint', NUMBER: 'number', POSITIVE: 'number', BOOL: 'bool', WORD: 'word', IDENTIFIER: 'str', LINE: 'line', TEXT: 'str', ROLE: 'str', CODE: 'str' };

function range({ kind, min, max, range: given }) {
  if (given !== undefined) return given;
  switch (kind) {
    case 'UINT32':
      if (max === UINT32) return min > 0 ? `${min} or more` : '';
      return min === max ? String(min) : `${amount(min)}–${max === 0xffffff ? '0xffffff' : amount(max)}`;
    case 'UINT64':
      return max === SAFE ? 'below 2^53' : 'below 2^64';
    case 'POSITIVE':
      return 'above 0';
    case 'WORD':
    case 'LINE':
      return `${amount(min)}–${amount(max)} bytes`;
    case 'IDENTIFIER':
      return `${amount(min)}–${amount(max)} of \`a\`–\`z\` \`0\`–\`9\` \`_\``;
    case 'TEXT':
      return `up to ${amount(max)} bytes`;
    case 'ROLE':
      return '`viewer` or `presenter`';
    default:
      return '';
  }
}

const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |').replaceAll('|  |', '| |')).join('\n');
const sentence = (text) => (/[.:]$/.test(text) || text === '' ? text : `${text}.`);
const meaning = ({ text, unit }) => sentence(unit ? `${text}; ${unit}` : text);

const fieldTable = (message) =>
  table(
    [message.map ? 'key' : 'field', 'type', 'range', 'meaning'],
    message.fields.map((field) => [field.name + (field.optional && !message.map ? '?' : ''), field.type ?? TYPES[field.kind], range(field), meaning(field)]),
  );

const optionTable = ({ options }) => table(['option', 'type', 'range', 'default', 'meaning'], options.map((option) => [option.name, option.type, option.range, option.missing, sentence(option.text)]));

const link = ({ number, name }) => `[${name}](#${number}-${name})`;
const names = (message) => {
  if (message.map) return 'map';
  if (message.same !== undefined) return `as in ${link(messages.find(({ number }) => number === message.same))}`;
  return [...message.fields.map(({ name, optional }) => name + (optional ? '?' : '')), ...(message.answered ? ['tag?'] : [])].join(', ');
};
const answers = ({ answer, answered }) => [answer, answered && 'done'].filter(Boolean).join(', ');
const effects = (message) => Object.entries(traits).filter(([trait, [, , text]]) => text && hasTrait(message, trait)).map(([, [, , text]]) => text).join(', ');

const bodies = {
  'client messages': () => table(['type', 'name', 'who', 'fields', 'answer', 'effects', 'meaning'], client.map((m) => [m.number, link(m), m.who, names(m), answers(m), effects(m), sentence(m.about)])),
  'server messages': () => table(['type', 'name', 'fields', 'meaning'], server.map((m) => [m.number, link(m), names(m), sentence(m.about)])),
  codes: () => table(['code', 'meaning'], Object.entries(codes).map(([name, text]) => [`\`${name}\``, sentence(text)])),
  closes: () => table(['code', 'meaning'], closes.map(([value, , text]) => [value, sentence(text)])),
  options: () => optionTable(messages[0]),
};

function body(what) {
  const message = messages.find(({ number }) => what === `fields of ${number}`);
  const make = message ? () => fieldTable(message) : bodies[what];
  if (!make) throw new Error(`PROTOCOL.md: there is no table '${what}'`);
  return make();
}

const page = (text) => text.replace(/(<!-- made by make protocol: (.+) -->\n)[^]*?(<!-- end -->)/g, (_, begin, what, end) => `${begin}${body(what)}\n${end}`);

// ---- all files ----

const files = {
  'protocol/messages.h': cTypes,
  'protocol/fields.h': cFields,
  'clients/web/src/net/messages.ts': ts,
  'clients/web/src/net/decoders.ts': decoders,
  'tests/e2e/numbers.mjs': tests,
  'protocol/PROTOCOL.md': page,
};

function read(file) {
  try {
    return readFileSync(path.join(root, file), 'utf8');
  } catch {
    return '';
  }
}

let stale = 0;
for (const [file, make] of Object.entries(files)) {
  const before = read(file);
  const after = make(before);
  if (after === before) continue;
  stale++;
  if (process.argv.includes('--check')) console.error(`${file} is not what schema.mjs says: run \`make protocol\``);
  else writeFileSync(path.join(root, file), after);
}
process.exitCode = stale > 0 && process.argv.includes('--check') ? 1 : 0;
