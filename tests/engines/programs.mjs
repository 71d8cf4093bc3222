// The programs that a driver starts: each in a process group of its own, ended as a whole.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// A folder for what a browser keeps, removed when all its programs have ended.
export function createPrograms() {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-engine-'));
  const children = [];

  // Starts a program whose home is the folder. The result has its output so far as `said`; `stdio` as for spawn.
  /**
   * @param {string} command
   * @param {string[]} args
   * @param {{ env?: NodeJS.ProcessEnv, stdio?: import('node:child_process').StdioOptions }} options
   */
  function start(command, args, { env = {}, stdio = ['ignore', 'pipe', 'pipe'] } = {}) {
    const environment = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, XDG_DATA_HOME: folder, ...env };
    const child = spawn(command, args, { detached: true, stdio, env: environment });
    const program = { child, said: '', running: true };
    program.ended = new Promise((resolve) => {
      const end = (error) => {
        program.running = false;
        program.said += error instanceof Error ? error.message : '';
        resolve(null);
      };
      child.on('error', end);
      child.on('close', end);
    });
    for (const stream of child.stdio) {
      if (stream && 'setEncoding' in stream) stream.setEncoding('utf8').on('data', (text) => (program.said += text));
    }
    children.push(program);
    return program;
  }

  async function stop() {
    for (const { child, ended, running } of children.reverse()) {
      if (running && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  return { folder, start, stop };
}
