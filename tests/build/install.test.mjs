// make install and make uninstall, below a folder of the test's, and the systemd unit that they bring.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../e2e/server.mjs';

const EXPOSURE_MAX = 1.5; // of systemd's scale from 0 to 10

const make = (...args) => execFileSync('make', ['-s', '-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const filesIn = (folder) => /** @type {string[]} */ (readdirSync(folder, { recursive: true })).filter((name) => statSync(path.join(folder, name)).isFile());

test('install writes below DESTDIR and PREFIX only, and uninstall removes all files', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-install-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const where = [`DESTDIR=${folder}`, 'PREFIX=/opt/flock'];
  // The built files contain the prefix; this test only looks at where files go.
  make('-o', 'all', 'install', ...where);
  const files = filesIn(folder);
  for (const name of ['bin/flockd', 'bin/flock-term', 'bin/flock-sim', 'lib/flockd/flockd-nats.so', 'share/flockd/web/index.html', 'share/man/man1/flockd.1', 'share/bash-completion/completions/flock-term', 'share/zsh/site-functions/_flock-term', 'share/fish/vendor_completions.d/flock-term.fish', 'lib/systemd/system/flockd.service']) {
    assert.ok(files.includes(`opt/flock/${name}`), name);
  }
  assert.deepEqual(files.filter((name) => !name.startsWith('opt/flock/')), []);

  const unit = path.join(folder, 'opt/flock/lib/systemd/system/flockd.service');
  const text = readFileSync(unit, 'utf8');
  assert.match(text, /^ExecStart=\/opt\/flock\/bin\/flockd$/m);
  assert.doesNotMatch(text, /@\w+@/);

  make('uninstall', ...where);
  assert.deepEqual(filesIn(folder), []);
});

test('completions offer the options, and the words of a choice', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-completions-'));
  t.after(() => rmSync(folder, { recursive: true }));
  execFileSync('node', [`${root}/server/base/completions.mjs`, folder, `${root}/build/flock-term`, `${root}/build/flockd`]);
  /** @param {string} line */
  const complete = (line) => {
    const words = line.split(' ');
    const [name] = words;
    const file = `${folder}/bash-completion/completions/${name}`;
    const script = `. "$1"; _${name.replaceAll('-', '_')} "$2" "$3" "$4"; printf "%s\\n" "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script, 'bash', file, name, ...words.slice(-2).reverse()], { encoding: 'utf8' }).trim().split('\n');
  };
  assert.deepEqual(complete('flock-term --enc'), ['--encoding']);
  assert.deepEqual(complete('flock-term --encoding p'), ['packed', 'plain']);
  assert.deepEqual(complete('flock-term --rate 3'), ['']);
  assert.ok(complete('flockd --preset b').includes('bees'));
  assert.ok(complete('flock-term --').includes('--version'));
  const zsh = readFileSync(`${folder}/zsh/site-functions/_flock-term`, 'utf8');
  assert.match(zsh, /^#compdef flock-term\n/);
  assert.match(zsh, /'--encoding\[.*\]:WORD:\(packed plain\)'/);
  const fish = readFileSync(`${folder}/fish/vendor_completions.d/flock-term.fish`, 'utf8');
  assert.match(fish, /^complete -c flock-term -l encoding -x -a 'packed plain' -d '/m);
  assert.match(fish, /^complete -c flock-term -l ca -r -F -d /m);
});

const noSystemd = spawnSync('systemd-analyze', ['--version']).error && 'systemd is not installed';

test('systemd accepts the unit, with a tight sandbox', { skip: noSystemd }, (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-unit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  make('-o', 'all', 'install', `DESTDIR=${folder}`);
  const unit = path.join(folder, 'usr/local/lib/systemd/system/flockd.service');
  const options = ['security', '--offline=true', '--no-pager', `--threshold=${EXPOSURE_MAX * 10}`];
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...options, unit], { encoding: 'utf8' });
  assert.equal(status, 0, stdout.split('\n').filter((line) => !line.startsWith('✓')).join('\n'));
  assert.doesNotMatch(stderr, /flockd\.service:\d+|Unknown/);
  assert.ok(Number(stdout.match(/exposure level for flockd\.service: ([\d.]+)/)[1]) <= EXPOSURE_MAX);
});
