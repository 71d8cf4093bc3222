#!/usr/bin/env node
// Attacks a flockd, each attack for a few seconds, while a good client is connected. Prints TAP.
//
//   node tests/attack/run.mjs                      all attacks except the longest, each on its own flockd (FLOCKD, else build/flockd)
//   node tests/attack/run.mjs cursors renames      these attacks
//   node tests/attack/run.mjs --short              a selection, one second each, which `make test` runs
//   node tests/attack/run.mjs --timed              the attacks with limits of time, which other programs would disturb; --untimed: the other attacks
//   node tests/attack/run.mjs --tls pings fragments    over TLS
//   node tests/attack/run.mjs --url ws://HOST:PORT [--key KEY]    attacks over the network, on this flockd
//   node tests/attack/run.mjs --together           all attacks over the network at once, each from an address of its own and
//                                                  again and again, on one flockd with the options that all of them need
//   node tests/attack/run.mjs --together --seconds 600 --share 0.9
//   node tests/attack/run.mjs --list
//
// The good client must get 80 % of its 30 snapshots a second (half of them with --short, because a second is short; --share says
// otherwise). It joins with a further client, requests /healthz and the API, and asks the lobby for answers; some of each must
// succeed. After an attack on its own flockd, the program checks memory, descriptors, processor time, the exit status, and
// offered = sent + skipped.
//
// Stricter attacks have limits of their own: share (of the snapshots); gap (ms between two snapshots); join, health, api and answer
// (ms, each time); memory (MB by which flockd may grow during the attack); settle (ms until its figures are as before the attack); end
// (ms after SIGTERM, while the attackers are still connected). With `begins`, an attack prepares itself until target.begin() resolves.
// `alone`: no other attack prepares itself at the same time. `args` are options that the attack needs; `command` starts flockd; `tight`
// are options that make something scarce when the attack is alone.
//
// What the machine withheld from flockd (target.mjs, watchMachine) lowers the share, by a quarter at most, and lengthens the limits
// of time, by half at most. The longest time in which the whole machine stood still (observer.mjs) lengthens them, too. The program
// prints both.
import { readOptions, refuse } from '../options.mjs';
import { below } from './below.mjs';
import { closings } from './closings.mjs';
import { connections } from './connections.mjs';
import { doors } from './door.mjs';
import { certificate, secure } from './handshakes.mjs';
import { holders } from './held.mjs';
import { http } from './http.mjs';
import { larges } from './large.mjs';
import { memories } from './memory.mjs';
import { messages } from './messages.mjs';
import { pages } from './page.mjs';
import { crowds } from './presence.mjs';
import { pasts } from './past.mjs';
import { processes } from './process.mjs';
import { at, now, sleep } from './raw.mjs';
import { readers } from './readers.mjs';
import { recordings } from './recordings.mjs';
import { rooms } from './rooms.mjs';
import { FLOCKD, dropSockets, load, memoryOfRooms, startGood, startTarget, strangersTarget, usage, watchMachine, watchMemory } from './target.mjs';
import { shares } from './shares.mjs';
import { strangers } from './strangers.mjs';
import { things } from './things.mjs';
import { transfers } from './transfers.mjs';
import { unreads } from './unread.mjs';
import { uploading } from './uploads.mjs';

const RATE = 30;
const PROBE_TIME = 500; // ms between probes of the good client
const PROBED = { join: 'a client joined', health: '/healthz answered with 200', api: 'the API answered', answer: 'the lobby answered' };
const END_TIME = 20_000; // ms until flockd must have ended
const MEMORY = 40; // MB by which flockd may have grown, beside its rooms
const SETTLE_TIME = 30_000; // ms after an attack
const SANITIZED = /\b[at]san\b/.test(FLOCKD); // freed memory stays in the process for a while
const ATTACKS = [...connections, ...messages, ...readers, ...unreads, ...rooms, ...shares, ...larges, ...strangers, ...closings, ...things, ...holders, ...below, ...crowds, ...pasts, ...doors, ...http, ...secure, ...processes, ...memories, ...pages, ...uploading, ...recordings, ...transfers];

function usageOf() {
  const lines = ATTACKS.map(({ name, about, needs, short }) => `  ${name.padEnd(20)} ${about}${needs ? ` (needs ${needs})` : ''}${short ? ' *' : ''}`);
  return `Usage: node tests/attack/run.mjs [--short | --together] [--timed | --untimed] [--tls] [--seconds N] [--share N] [--url ws://HOST:PORT [--key KEY]] [NAME]...\n\n${lines.join('\n')}\n\n* with --short`;
}

const { values: options, positionals: names } = readOptions(usageOf(), {
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    key: { type: 'string', default: '' },
    seconds: { type: 'string' },
    share: { type: 'string' },
    short: { type: 'boolean', default: false },
    together: { type: 'boolean', default: false },
    timed: { type: 'boolean', default: false },
    untimed: { type: 'boolean', default: false },
    tls: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

const LOAD_TIME = options.short ? 250 : 500; // ms: the clock of a process counts 10 ms

// Attacks whose limits of time hold only without other programs.
const isTimed = (attack) => ['gap', ...Object.keys(PROBED)].some((limit) => attack[limit] !== undefined);
// With --together, attacks on a process of their own and attacks of somebody with the server's key stay out.
const isOutside = (attack) => attack.outside ?? !(attack.needs || attack.strained);

// Returns the attacks to run: the named ones, or all that are possible on this target.
function choose() {
  const unknown = names.filter((name) => !ATTACKS.some((attack) => attack.name === name));
  if (unknown.length > 0) throw new Error(`no attack '${unknown[0]}'; --list lists them`);
  return ATTACKS.filter((attack) => {
    if (names.length > 0) return names.includes(attack.name);
    if (attack.long || (options.short && !attack.short)) return false;
    if (options.together && !isOutside(attack)) return false;
    if (isTimed(attack) ? options.untimed : options.timed) return false;
    return !options.url || !attack.needs || (attack.needs === 'key' && options.key !== '');
  });
}

// Returns a function that stores in `failures` what does not hold.
const checker = (failures) => (held, what) => held || failures.push(what);

// Checks the probes: each must succeed within the attack's limit. Without a limit, one of each kind must succeed. Returns the longest times, in words.
function judgeProbes(check, attack, probes, machine) {
  const said = Object.entries(PROBED).map(([name, what]) => {
    const all = probes[name] ?? [];
    const limit = attack[name];
    const failed = all.filter((ms) => ms === null).length;
    const longest = Math.max(0, ...all);
    check(all.length > failed, `never ${what}, of ${all.length} times`);
    if (limit !== undefined) {
      check(failed === 0, `${failed} of ${all.length} times not: ${what}`);
      check(longest <= limit + machine.within(limit), `${what} after ${longest} ms`);
    }
    return `${name} ${longest} ms${failed > 0 ? ` (${failed} of ${all.length} failed)` : ''}`;
  });
  return said.join(', ');
}

// Checks the good client's figures.
function judge(check, attack, { rate, longest, p99, turns, closed, probes }, machine) {
  const least = Number(options.share ?? attack.share ?? (options.short ? 0.5 : 0.8));
  const possible = RATE * (1 - machine.share);
  check(closed === null, `the good client was closed: ${closed}`);
  if (!attack.strained) {
    check(rate >= least * possible, `the good client got ${rate.toFixed(1)} snapshots/s, of ${possible.toFixed(1)} that the machine had time for`);
  }
  const { gap = Infinity } = attack;
  check(longest <= gap || longest <= gap + machine.within(gap), `the good client got no snapshot for ${Math.round(longest)} ms`);
  const percent = (part) => `${Math.round(100 * part)} %`;
  const busy = `its clock ${percent(turns / RATE)}, flockd waited ${percent(machine.waited)}, withheld ${percent(machine.share)} and ${Math.round(machine.within(100))} of 100 ms, machine stood still ${Math.round(machine.still)} ms`;
  return `${percent(rate / RATE)} of the snapshots (${busy}), longest gap ${Math.round(longest)} ms (p99 ${Math.round(p99)}), ${judgeProbes(check, attack, probes, machine)}`;
}

// Waits until the process's figures are as before the attack; returns the difference after a deadline.
async function settle(check, target, before, busy, time) {
  if (target.end !== null) return '';
  const end = now() + time;
  const rooms = (await memoryOfRooms(target)) - before.rooms;
  const most = SANITIZED ? Infinity : before.memory + MEMORY + Math.max(0, rooms);
  let after = usage(target);
  let processor = 1;
  while (now() < end) {
    processor = await load(target, LOAD_TIME);
    after = usage(target);
    if (after === null || (after.descriptors <= before.descriptors + 2 && processor <= busy + 0.1 && after.memory <= most)) break;
  }
  if (after === null) return '';
  check(after.descriptors <= before.descriptors + 2, `${after.descriptors} descriptors after it, ${before.descriptors} before`);
  check(processor <= busy + 0.1, `${Math.round(processor * 100)} % of a processor after it, ${Math.round(busy * 100)} % before`);
  check(after.memory <= most, `${after.memory.toFixed(0)} MB after it, ${before.memory.toFixed(0)} before, and ${rooms.toFixed(0)} MB of rooms more`);
  return `, ${after.memory.toFixed(1)} MB (${before.memory.toFixed(1)}; ${rooms.toFixed(1)} more in rooms), ${after.descriptors} descriptors, ${Math.round(processor * 100)} % of a processor`;
}

// Ends flockd and checks its status and its last lines. Resolves to how long that took, in words.
async function conclude(check, target, ms) {
  const began = now();
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
  return `, ended in ${((now() - began) / 1000).toFixed(1)} s`;
}

// The most attacks side by side. While one attacks, the other prepares itself.
const LANES = options.short && options.timed ? 2 : 1;

/** @type {Promise<unknown>} */
let attacking = Promise.resolve();

// Resolves when the attacks before this one have ended, to a function that ends this one.
function takeTurn() {
  /** @type {() => void} */
  let leave = () => {};
  const before = attacking;
  attacking = new Promise((resolve) => (leave = () => resolve(undefined)));
  return before.then(() => leave);
}

const NO_FIGURES = { rate: 0, longest: 0, p99: 0, turns: 0, closed: 'it does not answer', probes: {} };

// Resolves to { notes, ended }: the attack's figures in words, and a promise for the end of flockd. flockd waits up to 1 s for clients.
async function perform(check, attack, run) {
  const target = options.url ? strangersTarget(options.url, options.key) : await startTarget({ command: attack.command ?? [], args: [...(attack.args ?? []), ...(attack.tight ?? []), ...(options.tls ? certificate() : [])] });
  const ms = 1000 * Number(options.seconds ?? (options.short ? 1 : 3));
  let good;
  let notes = '';
  let leave = () => {};
  const enter = async () => (leave = await takeTurn());
  try {
    good = await startGood(target);
    const busy = await load(target, LOAD_TIME);
    const before = { ...usage(target), rooms: await memoryOfRooms(target) };
    await good.mark();
    const machine = await watchMachine(target);
    if (!attack.begins) await enter();
    let entered;
    const begun = new Promise((resolve) => Object.assign(target, { begin: () => (entered ??= enter().then(resolve)), tight: attack.tight !== undefined }));
    const watched = watchMemory(target);
    const attacked = run(target, ms).then(
      (said) => (notes = said ?? ''),
      (error) => check(false, error.name === 'AssertionError' ? error.message : error.stack),
    );
    if (attack.begins) await Promise.race([begun, attacked]);
    good.probe(PROBE_TIME);
    await Promise.all([attacked, sleep(ms)]); // a rate needs some snapshots
    const figures = await good.mark();
    notes += `; ${judge(check, attack, figures ?? NO_FIGURES, machine.stop())}`;
    leave();
    const most = watched();
    check(SANITIZED || most - (before.memory ?? 0) <= (attack.memory ?? Infinity), `${most.toFixed(0)} MB during it, ${before.memory?.toFixed(0)} before`);
    if (target.own && attack.end === undefined) {
      dropSockets(target);
      notes += await settle(check, target, before, busy, attack.settle ?? SETTLE_TIME);
    } else {
      notes += `, ${most.toFixed(0)} MB`;
    }
  } catch (error) {
    check(false, error.message);
  }
  leave();
  good?.stop();
  const ended = (target.own ? conclude(check, target, attack.end ?? END_TIME) : Promise.resolve('')).finally(() => dropSockets(target));
  return { notes, ended };
}

// ---- all at once ----

// Attackers leave rooms. These end ten seconds later, or after a minute if no client ever joined them.
const TOGETHER = { name: 'together', about: 'all at once', settle: 120_000 };
const ENDING = ['--room-idle', '10'];
const ROUND = 20_000; // ms of an attack, until it begins again
const PAUSE = 1000; // ms between two rounds

// Returns the options that the attacks need. No two of them may want different values.
function unionOf(attacks) {
  const all = new Map();
  for (const { name, args = [] } of attacks) {
    for (let i = 0; i < args.length; i += 2) {
      if ((all.get(args[i]) ?? args[i + 1]) !== args[i + 1]) throw new Error(`${name} needs ${args[i]} ${args[i + 1]}, and another attack ${all.get(args[i])}`);
      all.set(args[i], args[i + 1]);
    }
  }
  return [...all].flat();
}

// The target of one of many attackers, with an address and sockets of its own.
const viewOf = (target, i) => Object.assign(at(target, `127.0.1.${i + 1}`), { sockets: new Set(), tight: false, begin: undefined, rounds: 1, early: 0, problem: '' });

// Repeats an attack until the end. Counts its rounds and the rounds that ended early. Stores why the first such round ended.
async function repeat(attack, view, end) {
  while (now() < end) {
    await attack.run(view, Math.min(ROUND, end - now())).catch(({ message }) => {
      if (now() >= end) return;
      view.early += 1;
      view.problem ||= message.split('\n')[0];
    });
    dropSockets(view);
    await sleep(Math.min(PAUSE, Math.max(0, end - now())));
    view.rounds += now() < end ? 1 : 0;
  }
}

// Resolves at the end, while the attackers are still connected.
const together = (attacks) => async (target, ms) => {
  const end = now() + ms;
  target.views = attacks.map((_, i) => viewOf(target, i));
  attacks.forEach((attack, i) => repeat(attack, target.views[i], end));
  await sleep(ms);
  const said = target.views.map(({ rounds, early, problem }, i) => `${attacks[i].name} ${rounds}${early > 0 ? ` (${early} ended early: ${problem})` : ''}`);
  const left = ATTACKS.filter((attack) => !isOutside(attack)).map(({ name }) => name);
  return `${attacks.length} attacks, and how often: ${said.join(', ')}; without ${left.join(', ')}`;
};

async function main() {
  if (options.list) {
    console.log(usageOf());
    return;
  }
  const attacks = choose();
  const plan = options.together
    ? [{ attack: { ...TOGETHER, args: [...unionOf(attacks), ...ENDING] }, run: together(attacks), i: 0 }]
    : attacks.map((attack, i) => ({ attack, run: attack.run, i }));
  console.log(`TAP version 13\n1..${plan.length}`);
  let failed = 0;
  const told = [];
  const attackOne = async ({ attack, run, i }) => {
    const failures = [];
    const began = now();
    const { notes, ended } = await perform(checker(failures), attack, run);
    const tell = async () => {
      const end = await ended;
      failed += failures.length > 0 ? 1 : 0;
      console.log(`${failures.length > 0 ? 'not ok' : 'ok'} ${i + 1} - ${attack.name}: ${attack.about}`);
      console.log(`  # ${notes}${end} (${((now() - began) / 1000).toFixed(1)} s)`);
      for (const failure of failures) console.log(`  # ${failure.replaceAll('\n', '\n  # ')}`);
    };
    told.push(tell());
  };
  const isAlone = ({ attack }) => LANES === 1 || attack.alone === true;
  const queue = plan.filter((each) => !isAlone(each));
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await attackOne(next);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  for (const each of plan.filter(isAlone)) await attackOne(each);
  await Promise.all(told);
  process.exit(failed > 0 ? 1 : 0);
}

main().catch((error) => refuse(error.message));
