// Talks to a tmux server over one connection: a process for each look at a window would take 3 ms of the processor.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

// In double quotes tmux replaces \ooo by the byte with this octal number. A command may have no control characters: it is one line.
/** @param {string} word */
const quote = (word) => `"${word.replace(/["$\\]|\p{Cc}/gu, (each) => [...Buffer.from(each)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''))}"`;

// Starts a server with one session. Resolves to { ask(...words), end() }: ask() resolves to what the command prints.
/**
 * @param {string} socket a path
 * @param {string[]} session of new-session
 */
export async function startTmux(socket, session) {
  const server = ['-u', '-S', socket, '-f', '/dev/null'];
  await run('tmux', [...server, 'new-session', '-d', ...session]);
  // The client hears answers only, not what the programs write, and leaves the window its size.
  const child = spawn('tmux', [...server, '-C', 'attach-session', '-f', 'no-output,ignore-size'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  child.stdin.on('error', () => {}); // the server has ended: `closed` tells it
  /** @type {{ resolve: (text: string) => void, reject: (error: Error) => void }[]} */
  const waiting = [];
  let end = ''; // of the answer that comes, or '' between two answers
  /** @type {string[]} */
  let lines = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [kind, ...numbers] = line.split(' ');
    if (end === '') {
      if (kind === '%begin') end = numbers.join(' ');
    } else if ((kind === '%end' || kind === '%error') && numbers.join(' ') === end) {
      const asked = waiting.shift();
      const text = lines.join('\n');
      if (kind === '%end') asked?.resolve(text);
      else asked?.reject(new Error(`tmux: ${text}`));
      [end, lines] = ['', []];
    } else {
      lines.push(line);
    }
  });
  let ended = false;
  closed.then(() => {
    ended = true;
    waiting.splice(0).forEach(({ reject }) => reject(new Error('tmux has ended')));
  });
  /** @type {() => Promise<string>} */
  const answer = async () => {
    if (ended) throw new Error('tmux has ended');
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  };
  await answer(); // to attach-session
  return {
    /** @param {string[]} words */
    ask: (...words) => {
      child.stdin.write(`${words.map(quote).join(' ')}\n`);
      return answer();
    },
    end: async () => {
      child.stdin.write('kill-server\n');
      await closed;
    },
  };
}
