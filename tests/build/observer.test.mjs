// The attacks' observer: it sees a machine that stands still, and no busy one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const target = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../attack/target.mjs');
const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Runs the observer in another process. Resolves to what it saw (ms) while `act` did something to that process.
/**
 * @param {import('node:test').TestContext} t
 * @param {(pid: number) => Promise<unknown>} act
 */
async function observe(t, act) {
  const program = `const { observeMachine } = await import(${JSON.stringify(target)});
    const end = await observeMachine(); console.log('begun'); process.stdin.once('data', () => { console.log('still', end()); process.exit(); });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = new Promise((resolve) => child.once('close', resolve));
  while (!said.includes('begun') && child.exitCode === null) await sleep(5);
  await act(/** @type {number} */ (child.pid));
  child.stdin.write('end\n');
  await ended;
  return Number(said.match(/still (\S+)/)?.[1]);
}

test('the observer sees how long the machine stood still', async (t) => {
  const still = await observe(t, async (pid) => {
    await sleep(100);
    process.kill(pid, 'SIGSTOP'); // the observer can tell no difference
    await sleep(200);
    process.kill(pid, 'SIGCONT');
    await sleep(100);
  });
  assert.ok(still > 150, `${still} ms`);
});

test('programs that take all processors are no machine that stands still', async (t) => {
  const still = await observe(t, async () => {
    const programs = Array.from({ length: 4 * cpus().length }, () => spawn('nice', ['-n', '-5', process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' }));
    t.after(() => programs.forEach((each) => each.kill('SIGKILL')));
    await sleep(2000);
  });
  assert.ok(still < 50, `${still} ms`);
});
