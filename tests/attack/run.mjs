#!/usr/bin/env node
// Attacks a flockd, each attack for a few seconds, while a good client is connected. Prints TAP.
//
//   node tests/attack/run.mjs                      all attacks except the longest, each on its own flockd (FLOCKD, else build/flockd)
//   node tests/attack/run.mjs cursors renames      these attacks
//   node tests/attack/run.mjs --short              a selection, one second each, which `make test` runs
//   node tests/attack/run.mjs --url ws://HOST:PORT [--key KEY]    attacks over the network, on this flockd
//   node tests/attack/run.mjs --together           all attacks over the network at once, on one flockd
//   node tests/attack/run.mjs --list
//
// The good client must get 80 % of its 30 snapshots a second (half of them with --short, because a second is short). If other
// programs take processor time from its timer or from flockd, the limit is lower by that share (the program prints both shares).
// Another client must be able to join during the attack. After an attack on its own flockd, the program checks memory, descriptors,
// processor time, the exit status, and offered = sent + skipped.
//
// Stricter attacks have limits of their own: share (of the snapshots), gap and join (ms), memory (MB by which flockd may grow during
// the attack), end (ms after SIGTERM, while the attackers are still connected). With `begins`, an attack prepares itself until it
// calls target.begin().
import { parseArgs } from 'node:util';
import { connections } from './connections.mjs';
import { http } from './http.mjs';
import { memories } from './memory.mjs';
import { messages } from './messages.mjs';
import { pages } from './page.mjs';
import { crowds } from './presence.mjs';
import { processes } from './process.mjs';
import { now, sleep } from './raw.mjs';
import { readers } from './readers.mjs';
import { recordings } from './recordings.mjs';
import { rooms } from './rooms.mjs';
import { FLOCKD, dropSockets, load, startGood, startTarget, strangersTarget, usage, watchMemory, watchWaiting } from './target.mjs';
import { shares } from './shares.mjs';
import { uploading } from './uploads.mjs';

const RATE = 30;
const LATE = 20_000; // ms until a new client must have a snapshot
const END_TIME = 20_000; // ms until flockd must have ended
const MEMORY = 40; // MB by which flockd may have grown
const SANITIZED = /\b[at]san\b/.test(FLOCKD); // freed memory stays in the process for a while
const ATTACKS = [...connections, ...messages, ...readers, ...rooms, ...shares, ...crowds, ...http, ...processes, ...memories, ...pages, ...uploading, ...recordings];

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    key: { type: 'string', default: '' },
    seconds: { type: 'string' },
    short: { type: 'boolean', default: false },
    together: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function usageOf() {
  const lines = ATTACKS.map(({ name, about, needs, short }) => `  ${name.padEnd(20)} ${about}${needs ? ` (needs ${needs})` : ''}${short ? ' *' : ''}`);
  return `node tests/attack/run.mjs [--short | --together] [--seconds N] [--url ws://HOST:PORT [--key KEY]] [NAME]...\n\n${lines.join('\n')}\n\n* with --short\n`;
}

// Returns the attacks to run: the named ones, or all that are possible on this target.
function choose() {
  const unknown = names.filter((name) => !ATTACKS.some((attack) => attack.name === name));
  if (unknown.length > 0) throw new Error(`no attack '${unknown[0]}'; --list lists them`);
  return ATTACKS.filter((attack) => {
    if (names.length > 0) return names.includes(attack.name);
    if (attack.long || (options.short && !attack.short)) return false;
    if (options.together && (attack.needs || attack.strained || attack.args)) return false;
    return !options.url || !attack.needs || (attack.needs === 'key' && options.key !== '');
  });
}

const failures = [];
const check = (held, what) => held || failures.push(what);

// Checks the good client's figures. Time that a busy machine took from its timer or from flockd's threads does not count.
function judge(attack, { rate, longest, turns, closed, seconds }, late, waited) {
  const possible = Math.min(RATE, turns) * (1 - waited);
  const least = attack.share ?? (options.short ? 0.5 : 0.8);
  check(closed === null, `the good client was closed: ${closed}`);
  if (!attack.strained) {
    check(rate >= least * possible, `the good client got ${rate.toFixed(1)} snapshots/s, of ${possible.toFixed(1)} that the machine had time for`);
  }
  check(longest <= (attack.gap ?? Infinity) + 1000 * waited * seconds, `the good client got no snapshot for ${Math.round(longest)} ms`);
  check(late?.joined != null, `nobody could join within ${LATE / 1000} s`);
  check(late?.joined == null || late.joined <= (attack.join ?? LATE) + 1000 * waited * seconds, `a client joined after ${late?.joined} ms`);
  check(late?.health != null, `/healthz did not answer within ${LATE / 1000} s`);
  return `${Math.round((100 * rate) / RATE)} % of the snapshots (its clock ${Math.round((100 * turns) / RATE)} %, flockd waited ${Math.round(100 * waited)} %), longest gap ${Math.round(longest)} ms, join ${late?.joined} ms, /healthz ${late?.health} ms`;
}

// Waits until the process's figures are as before the attack; returns the difference after a deadline.
async function settle(target, before, busy) {
  if (target.end !== null) return '';
  const end = now() + 30_000;
  let after = usage(target);
  let processor = 1;
  while (now() < end) {
    processor = await load(target, 500);
    after = usage(target);
    if (after === null || (after.descriptors <= before.descriptors + 2 && processor <= busy + 0.1)) break;
  }
  if (after === null) return '';
  check(after.descriptors <= before.descriptors + 2, `${after.descriptors} descriptors after it, ${before.descriptors} before`);
  check(processor <= busy + 0.1, `${Math.round(processor * 100)} % of a processor after it, ${Math.round(busy * 100)} % before`);
  check(SANITIZED || after.memory <= before.memory + MEMORY, `${after.memory.toFixed(0)} MB after it, ${before.memory.toFixed(0)} before`);
  return `, ${after.memory.toFixed(1)} MB (${before.memory.toFixed(1)}), ${after.descriptors} descriptors, ${Math.round(processor * 100)} % of a processor`;
}

// Ends flockd and checks its status and its last lines.
async function conclude(target, ms) {
  const was = target.end;
  check(was === null, `flockd ended: ${JSON.stringify(was)} ${target.stderr.slice(-2000)}`);
  target.child.kill('SIGTERM');
  const end = await Promise.race([target.ended, sleep(ms)]);
  target.child.kill('SIGKILL');
  check(end !== undefined, `SIGTERM does not end it within ${ms / 1000} s`);
  if (was === null && end !== undefined) {
    check(end.code === 0, `it ends with ${JSON.stringify(end)}: ${target.stderr.slice(-500)}`);
    const said = target.stderr.match(/of (\d+) snapshots offered (\d+) sent, (\d+) skipped/)?.slice(1).map(Number);
    check(said !== undefined && said[0] === said[1] + said[2], `offered = sent + skipped: ${said}`);
  }
  check(!/Sanitizer|runtime error:/.test(target.stderr), target.stderr.match(/.*(Sanitizer|runtime error:)[^]{0,1500}/)?.[0] ?? '');
}

async function perform(attack, run) {
  const target = options.url ? strangersTarget(options.url, options.key) : await startTarget({ args: attack.args ?? [] });
  const ms = 1000 * Number(options.seconds ?? (options.short ? 1 : 3));
  let good;
  let notes = '';
  try {
    good = await startGood(target);
    const busy = await load(target, 500);
    const before = usage(target);
    await good.mark();
    const waiting = watchWaiting(target);
    const begun = new Promise((resolve) => (target.begin = resolve));
    const watched = watchMemory(target);
    const attacked = run(target, ms).then(
      (said) => (notes = said ?? ''),
      (error) => check(false, error.name === 'AssertionError' ? error.message : error.stack),
    );
    if (attack.begins) await Promise.race([begun, attacked]);
    await sleep(ms / 3);
    const late = await good.late();
    await attacked;
    const waited = waiting();
    notes += `; ${judge(attack, (await good.mark()) ?? { rate: 0, longest: 0, turns: RATE, seconds: 0, closed: 'it does not answer' }, late, waited)}`;
    const most = watched();
    check(SANITIZED || most - (before?.memory ?? 0) <= (attack.memory ?? Infinity), `${most.toFixed(0)} MB during it, ${before?.memory.toFixed(0)} before`);
    if (target.own && attack.end === undefined) {
      dropSockets(target);
      notes += await settle(target, before, busy);
    } else {
      notes += `, ${most.toFixed(0)} MB`;
    }
  } catch (error) {
    check(false, error.message);
  } finally {
    good?.stop();
    const began = now();
    if (target.own) await conclude(target, attack.end ?? END_TIME);
    notes += `, ended in ${((now() - began) / 1000).toFixed(1)} s`;
    dropSockets(target);
  }
  return notes;
}

async function main() {
  if (options.list || options.help) {
    process.stdout.write(usageOf());
    return;
  }
  const attacks = choose();
  const together = { name: 'together', about: 'all at once' };
  const plan = options.together
    ? [[together, async (target, ms) => (await Promise.all(attacks.map((attack) => attack.run(target, ms).catch(() => ''))), `${attacks.length} attacks`)]]
    : attacks.map((attack) => [attack, attack.run]);
  console.log(`TAP version 13\n1..${plan.length}`);
  let failed = 0;
  for (const [i, [attack, run]] of plan.entries()) {
    failures.length = 0;
    const began = now();
    const notes = await perform(attack, run);
    const seconds = ((now() - began) / 1000).toFixed(1);
    failed += failures.length > 0 ? 1 : 0;
    console.log(`${failures.length > 0 ? 'not ok' : 'ok'} ${i + 1} - ${attack.name}: ${attack.about}`);
    console.log(`  # ${notes} (${seconds} s)`);
    for (const failure of failures) console.log(`  # ${failure.replaceAll('\n', '\n  # ')}`);
  }
  process.exit(failed > 0 ? 1 : 0);
}

main().catch((error) => {
  console.error(`tests/attack/run.mjs: ${error.message}`);
  process.exit(2);
});
