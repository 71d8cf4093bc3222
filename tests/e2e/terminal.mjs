// Runs flock-term like a person: typed at a shell's prompt in a tmux window of a given size.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './server.mjs';
import { atEnd } from './atend.mjs';
import { startTmux } from './tmux.mjs';
import { until } from './until.mjs';

export const FLOCK_TERM = path.resolve(root, process.env.FLOCK_TERM ?? 'build/flock-term');

let terminals = 0;

// Opens a window with a shell. term: the value of TERM; locale: the value of LC_ALL.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {{ columns?: number, rows?: number, locale?: string, term?: string }} options
 */
export async function openTerminal(t, { columns = 80, rows = 24, locale = 'C.UTF-8', term = 'tmux-256color' } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-term-'));
  const socket = path.join(folder, 'tmux');
  const reports = path.join(folder, 'sanitizer');
  const environment = {
    LC_ALL: locale,
    TERM: term,
    PS1: '$ ',
    PATH: `${path.dirname(FLOCK_TERM)}:${process.env.PATH}`,
    ENV: '',
    XDG_STATE_HOME: path.join(folder, 'state'),
    ASAN_OPTIONS: `log_path=${reports}`,
    UBSAN_OPTIONS: `log_path=${reports}:print_stacktrace=1`,
  };
  const assignments = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  terminals += 1;
  const terminal = /** @type {import('./types.d.ts').Terminal} */ ({ columns, rows });

  const { ask: tmux, end } = await startTmux(socket, [
    ...['-s', `t${terminals}`, '-x', String(columns), '-y', String(rows)],
    ...['env', '-u', 'LINES', '-u', 'COLUMNS', ...assignments, 'sh'],
  ]);
  atEnd(t, async () => {
    await end();
    const found = readdirSync(folder).filter((name) => name.startsWith('sanitizer'));
    const text = found.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('');
    rmSync(folder, { recursive: true, force: true });
    assert.equal(text, '', 'no sanitizer report');
  });

  await tmux('set-option', '-g', 'status', 'off');
  await tmux('set-option', '-g', 'remain-on-exit', 'on');
  terminal.screen = async () => (await tmux('capture-pane', '-p')).split('\n').slice(0, terminal.rows);
  terminal.styled = () => tmux('capture-pane', '-e', '-p');
  terminal.text = async () => (await terminal.screen()).join('\n');
  terminal.type = (text) => tmux('send-keys', '-l', '--', text);
  // Pastes like a person: bracketed, if the program has enabled that.
  terminal.paste = async (words) => {
    await tmux('set-buffer', '--', words);
    await tmux('paste-buffer', '-p', '-r');
  };
  terminal.key = (...names) => tmux('send-keys', ...names);
  terminal.property = async (format) => (await tmux('display-message', '-p', format)).trim();
  // Copies all further output of the program to a file.
  terminal.pipe = (file) => tmux('pipe-pane', '-o', `cat >'${file}'`);
  terminal.resize = async (newColumns, newRows) => {
    terminal.columns = newColumns;
    terminal.rows = newRows;
    await tmux('resize-window', '-x', String(newColumns), '-y', String(newRows));
  };
  // Sends a mouse's report about a cell (both numbers from 0), in the form that the program has enabled. The older form has a byte for each
  // number, which is no letter of UTF-8 from 128 on.
  const report = async (button, column, row, released = false, times = 1) => {
    assert.equal(await terminal.property('#{mouse_all_flag}'), '1', 'the program wants to know of motion');
    if ((await terminal.property('#{mouse_sgr_flag}')) !== '1') return oldReport(button, column, row, released, times);
    return terminal.type(`\u001b[<${button};${column + 1};${row + 1}${released ? 'm' : 'M'}`.repeat(times));
  };
  const oldReport = async (button, column, row, released = false, times = 1) => {
    const file = path.join(folder, `report${(reported += 1)}`);
    writeFileSync(file, Buffer.from(`\u001b[M${String.fromCharCode(32 + (released ? 3 : button), 33 + column, 33 + row)}`.repeat(times), 'latin1'));
    await tmux('load-buffer', file);
    return tmux('paste-buffer', '-d', '-r');
  };
  let reported = 0;
  // Moves the mouse without a button; presses its left button, moves with it, or releases it; turns its wheel.
  terminal.mouse = (column, row) => report(35, column, row);
  terminal.press = (column, row) => report(0, column, row);
  terminal.drag = (column, row) => report(32, column, row);
  terminal.release = (column, row) => report(0, column, row, true);
  // Any report: the button's number, of the protocol, at a cell; and in the form of a terminal that does not know the newer one.
  terminal.button = report;
  terminal.oldButton = oldReport;
  terminal.wheel = (column, row, lines) => report(lines < 0 ? 64 : 65, column, row, false, Math.abs(lines));
  terminal.click = async (column, row) => {
    await terminal.press(column, row);
    await terminal.release(column, row);
  };
  terminal.until = (what, probe) => until(what, async () => probe(await terminal.screen()), terminal.text);
  // Types a command on a cleared screen. Resolves to its complete output.
  let commands = 0;
  terminal.command = async (line) => {
    commands += 1;
    await terminal.type(`clear; ${line}; echo "[$?] ${commands}"`);
    await terminal.key('Enter');
    const end = new RegExp(`^\\[\\d+\\] ${commands}$`);
    const screen = await terminal.until(`'${line}' is done`, (lines) => lines.some((each) => end.test(each.trimEnd())) && lines);
    return screen.slice(0, screen.findIndex((each) => end.test(each.trimEnd())));
  };
  terminal.start = async (...args) => {
    await terminal.type([path.basename(FLOCK_TERM), ...args].join(' '));
    await terminal.key('Enter');
  };
  // Modes that a program may leave set, and the process that runs in the window.
  terminal.modes = () => terminal.property('#{alternate_on} #{cursor_flag} #{keypad_flag} #{mouse_any_flag} #{mouse_sgr_flag}');
  terminal.program = async () => {
    const shell = await terminal.property('#{pane_pid}');
    return Number(readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8'));
  };
  await terminal.until('the shell asks', (lines) => lines.some((line) => line.startsWith('$')));
  return terminal;
}

// Returns the braille dots of a screen as points of the world. The corners of the frame show the position of the world.
/**
 * @param {string[]} lines
 * @returns {import('./types.d.ts').Point[]}
 */
export function swarm(lines, world = [550, 400]) {
  const top = lines.findIndex((line) => line.includes('┌'));
  const bottom = lines.findLastIndex((line) => line.includes('└'));
  if (top < 0 || bottom < 0) {
    return [];
  }
  const left = Array.from(lines[top]).indexOf('┌') + 1;
  const right = Array.from(lines[bottom]).indexOf('┘');
  return brailleDots(lines).map(([x, y]) => [
    ((x / 2 - left) / (right - left)) * world[0],
    ((y / 4 - top - 1) / (bottom - top - 1)) * world[1],
  ]);
}

// Returns all dots of braille and of half blocks of a screen as [x, y], in dots from its upper left corner: 2 per column, 4 per row.
/** @param {string[]} lines */
export function brailleDots(lines) {
  /** @type {import('./types.d.ts').Point[]} */
  const dots = [];
  lines.forEach((line, row) => {
    Array.from(line).forEach((symbol, column) => {
      const code = (symbol.codePointAt(0) ?? 0) - 0x2800;
      const bits = BLOCKS[symbol] ?? (code > 0 && code < 256 ? code : 0);
      for (let bit = 0; bit < 8; bit += 1) {
        if (bits & (1 << bit)) {
          dots.push([2 * column + DOT_X[bit], 4 * row + DOT_Y[bit]]);
        }
      }
    });
  });
  return dots;
}
const BLOCKS = { '▀': 0x1b, '▄': 0xe4, '█': 0xff };
const DOT_X = [0, 0, 0, 1, 1, 1, 0, 1];
const DOT_Y = [0, 1, 2, 0, 1, 2, 3, 3];
