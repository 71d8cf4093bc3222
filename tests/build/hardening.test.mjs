// The programs have the compiler's and the linker's protections against attackers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { root } from '../e2e/server.mjs';

const PROGRAMS = ['flockd', 'flock-term', 'flock-sim'];
const readelf = (options, file) => execFileSync('readelf', [...options, '--wide', `${root}/build/${file}`], { encoding: 'utf8' });

for (const program of PROGRAMS) {
  test(`${program} loads at any address, with read-only tables and a stack without code`, () => {
    const headers = readelf(['--file-header', '--program-headers', '--dynamic'], program);
    assert.match(headers, /Type:\s+DYN/);
    assert.match(headers, /Flags:.*\bPIE\b/);
    assert.match(headers, /Flags:.*\bNOW\b/, 'full RELRO: all is bound before main()');
    assert.match(headers, /GNU_RELRO/);
    assert.match(headers, /GNU_STACK.* RW /);
    assert.doesNotMatch(headers, / RWE /, 'nothing is both written and run');
    assert.doesNotMatch(headers, /RPATH|RUNPATH|TEXTREL/);
  });

  test(`${program} checks its stack and the sizes of its copies`, () => {
    const symbols = readelf(['--dyn-syms'], program);
    assert.match(symbols, /\b__stack_chk_fail\b/);
    assert.match(symbols, /\b__snprintf_chk\b/);
  });
}

test('flockd needs no NATS library; the plugin that does has the same protections', () => {
  assert.doesNotMatch(readelf(['--dynamic'], 'flockd'), /NEEDED.*nats/);
  const plugin = readelf(['--program-headers', '--dynamic'], 'flockd-nats.so');
  assert.match(plugin, /NEEDED.*libnats/);
  assert.match(plugin, /Flags:.*\bNOW\b/);
  assert.match(plugin, /GNU_RELRO/);
  assert.match(plugin, /GNU_STACK.* RW /);
  assert.doesNotMatch(plugin, / RWE |RPATH|RUNPATH|TEXTREL/);
  const symbols = readelf(['--dyn-syms'], 'flockd-nats.so');
  assert.match(symbols, /\b__stack_chk_fail\b/);
  const offered = [...symbols.matchAll(/GLOBAL +DEFAULT +\d+ (\S+)/g)].map(([, name]) => name);
  assert.deepEqual(offered, ['broker_nats_open'], 'nothing else of it meets the names of flockd');
});

// The program's own note has it only where the C library's start files have, which Debian's do not.
test('indirect jumps lead to marked places, where the processor checks them', { skip: process.arch !== 'x64' && 'x86-64 alone' }, () => {
  assert.match(readelf(['--notes'], 'obj/server/main.o'), /IBT, SHSTK/);
});
