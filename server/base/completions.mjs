#!/usr/bin/env node
// Writes the completions of bash, zsh and fish from a program's table of options (--help-table).
//
//   node server/base/completions.mjs OUT PROGRAM...
//
// The shells' files go below OUT as make install copies them: bash-completion/completions/NAME, zsh/site-functions/_NAME and
// fish/vendor_completions.d/NAME.fish.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const QUESTIONS = [
  { flag: 'help', value: '', words: [], text: 'print the options' },
  { flag: 'help-table', value: '', words: [], text: 'print the options as a Markdown table' },
  { flag: 'version', value: '', words: [], text: 'print the version' },
];

// Reads a row of the table: `--flag VALUE` | environment | values | default | meaning. A choice lists its words.
function readRow(row) {
  const [, option, , values, , meaning] = row.split('|').map((cell) => cell.trim());
  const [, flag, value] = /^`--(\S+) ?(.*)`$/.exec(option) ?? [];
  const words = /^[a-z][a-z0-9-]*(, [a-z][a-z0-9-]*)+$/.test(values) ? values.split(', ') : [];
  return { flag, value: value || (words.length > 0 ? 'WORD' : ''), words, text: meaning.replace(/\.$/, '') };
}

function readOptions(program) {
  const table = execFileSync(program, ['--help-table'], { encoding: 'utf8' });
  return [...table.split('\n').filter((line) => line.startsWith('| `--')).map(readRow), ...QUESTIONS];
}

const isFile = ({ value }) => /^(FILE|FOLDER)$/.test(value);

function bash(name, options) {
  const cases = options.map((option) => {
    const reply = isFile(option) ? '-f' : `-W '${option.words.join(' ')}'`;
    return option.value === '' ? '' : `    --${option.flag}) COMPREPLY=($(compgen ${reply} -- "$2")); return ;;\n`;
  });
  const flags = options.map(({ flag }) => `--${flag}`).join(' ');
  return `# bash completion of ${name}
_${name.replaceAll('-', '_')}() {
  case $3 in
${cases.join('')}  esac
  COMPREPLY=($(compgen -W '${flags}' -- "$2"))
}
complete -F _${name.replaceAll('-', '_')} ${name}
`;
}

function zsh(name, options) {
  const plain = (text) => text.replace(/[[\]:]/g, '\\$&').replaceAll("'", "'\\''");
  const action = (option) => (isFile(option) ? '_files' : option.words.length > 0 ? `(${option.words.join(' ')})` : ' ');
  const rows = options.map((option) => `  '--${option.flag}[${plain(option.text)}]${option.value === '' ? '' : `:${option.value}:${action(option)}`}'`);
  return `#compdef ${name}\n_arguments \\\n${rows.join(' \\\n')}\n`;
}

function fish(name, options) {
  const quote = (text) => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const rows = options.map((option) => {
    const argument = isFile(option) ? ' -r -F' : option.words.length > 0 ? ` -x -a ${quote(option.words.join(' '))}` : option.value !== '' ? ' -x' : '';
    return `complete -c ${name} -l ${option.flag}${argument} -d ${quote(option.text)}`;
  });
  return `complete -c ${name} -f\n${rows.join('\n')}\n`;
}

function write(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const [out, ...programs] = process.argv.slice(2);
for (const program of programs) {
  const name = path.basename(program);
  const options = readOptions(program);
  write(path.join(out, 'bash-completion/completions', name), bash(name, options));
  write(path.join(out, 'zsh/site-functions', `_${name}`), zsh(name, options));
  write(path.join(out, 'fish/vendor_completions.d', `${name}.fish`), fish(name, options));
}
