// make run saves rooms in the user's data folder, unless told otherwise.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../e2e/atend.mjs';
import { launch, root } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';

/** @param {import('../e2e/types.d.ts').Test} t */
function home(t) {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-home-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// make passes SIGTERM on to flockd.
function run(t, env, args = '') {
  const program = launch(t, [], { env: { XDG_DATA_HOME: '', ...env }, command: ['make', '-s', '-C', root, 'run', `ARGS=--port 0 ${args}`] });
  atEnd(t, async () => {
    program.kill('SIGTERM');
    await program.ended;
  });
  return program;
}

async function said(program) {
  const [, where] = await until(
    'flockd says where rooms are',
    () => {
      assert.ok(program.running, program.stderr);
      return program.stdout.match(/^ {2}rooms {11}(.*)$/m);
    },
    () => program.stdout + program.stderr,
  );
  return where;
}

test('make run saves rooms in the home folder, or where XDG_DATA_HOME says', async (t) => {
  const HOME = home(t);
  const one = run(t, { HOME });
  assert.equal(await said(one), `are saved in ${HOME}/.local/share/flockd`);
  assert.ok(existsSync(`${HOME}/.local/share/flockd/flockd.sqlite`));

  const second = run(t, { HOME });
  await second.ended;
  assert.match(second.stderr, /cannot start: .*another flockd is using it: start each with its own folder \(--data\); --data none saves no rooms/);

  const data = path.join(home(t), 'a b', 'data');
  assert.equal(await said(run(t, { HOME, XDG_DATA_HOME: data })), `are saved in ${data}/flockd`);
});

test('--data and FLOCKD_DATA win, and none saves nothing', async (t) => {
  const HOME = home(t);
  const folder = home(t);
  assert.equal(await said(run(t, { HOME }, `--data ${folder}/rooms`)), `are saved in ${folder}/rooms`);
  assert.equal(await said(run(t, { HOME, FLOCKD_DATA: `${folder}/others` })), `are saved in ${folder}/others`);
  const LOST = 'are lost when flockd ends; --data FOLDER saves them';
  assert.equal(await said(run(t, { HOME }, '--data none')), LOST);
  assert.equal(await said(run(t, { HOME, FLOCKD_DATA: 'none' })), LOST);
  assert.ok(!existsSync(`${HOME}/.local`) && !existsSync(path.join(root, 'none')));
});

test('make run says what to do if the folder cannot be made', async (t) => {
  const HOME = path.join(home(t), 'file');
  writeFileSync(HOME, '');
  const program = run(t, { HOME });
  await program.ended;
  assert.match(program.stderr, /make run: choose a folder for the rooms with ARGS="--data FOLDER", or --data none/);
  assert.equal(program.stdout, '');
});
