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
  for (const name of ['bin/flockd', 'bin/flock-term', 'bin/flock-sim', 'share/flockd/web/index.html', 'share/man/man1/flockd.1', 'lib/systemd/system/flockd.service']) {
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
