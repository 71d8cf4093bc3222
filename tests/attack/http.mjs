// Malformed and excessive HTTP requests.
import assert from 'node:assert/strict';
import { exchange, flood, head, hostOf, now, open, upgradeLines } from './raw.mjs';
import { METRICS_KEY } from './target.mjs';

// Paths that lead out of the page's folder. The server must not answer with other files.
const PATHS = [
  ...['/../../etc/passwd', '/..%2f..%2fetc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/....//....//etc/passwd', '/..\\..\\etc\\passwd', '//etc/passwd'],
  ...['/%00', '/app%00.js', '/%', '/%zz', '/%c0%ae%c0%ae/etc/passwd', '/./.git/config', '/r/../../etc/passwd', '/api/rooms/..%2f..', `/${'a'.repeat(3000)}`],
  ...['/r/', '/r/%2e%2e', '/api', '/api/', '/api/rooms/', '/api/rooms/%00', '/ws/..', '/metrics/../..', '*', 'http://other.example/', 'etc/passwd'],
];

async function paths(target) {
  const shown = [];
  for (const path of PATHS) {
    const { status, text } = await exchange(target, head(target, 'GET', path, ['Connection: close']));
    if (/root:.*:0:0:|\[core\]/.test(text) || status >= 500) shown.push(`${path}: ${status}`);
  }
  assert.deepEqual(shown, [], 'no file but the page, and no mistake of the server');
  return `${PATHS.length} paths`;
}

const long = (count) => `X-Long: ${'x'.repeat(count)}`;
/** @type {[what: string, make: (target: any) => string, allowed: number[]][]} */
const REQUESTS = [
  ['headers of 12 KB', (t) => head(t, 'GET', '/', ['Connection: close', long(12_000)]), [200]],
  ['headers of 20 KB', (t) => head(t, 'GET', '/', ['Connection: close', long(20_000)]), [431]],
  ['300 headers', (t) => head(t, 'GET', '/', ['Connection: close', ...Array.from({ length: 300 }, (_, i) => `X-${i}: 1`)]), [200, 431]],
  ['CONNECT', (t) => head(t, 'CONNECT', hostOf(t), []), [400, 404, 405, 501, 0]],
  ['TRACE', (t) => head(t, 'TRACE', '/', ['Connection: close']), [400, 403, 404, 405, 501, 0]],
  ['no such method', (t) => head(t, 'FROB', '/', []), [400, 403, 405, 501, 0]],
  ['no version', () => 'GET /\r\n\r\n', [200, 400, 505, 0]],
  ['HTTP/9.9', (t) => head(t, 'GET', '/', [], 'HTTP/9.9'), [200, 400, 505, 0]],
  ['no Host', () => 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', [200, 400]],
  ['two lengths', (t) => `${head(t, 'POST', '/api/rooms', ['Content-Length: 2', 'Content-Length: 30', 'Connection: close'])}{}`, [400, 201, 413]],
  ['a length and chunks', (t) => `${head(t, 'POST', '/api/rooms', ['Content-Length: 2', 'Transfer-Encoding: chunked', 'Connection: close'])}0\r\n\r\n`, [400, 411]],
  ['a length of -1', (t) => head(t, 'POST', '/api/rooms', ['Content-Length: -1', 'Connection: close']), [400, 413]],
  ['a length of 2^63', (t) => head(t, 'POST', '/api/rooms', ['Content-Length: 9223372036854775808', 'Connection: close']), [400, 413]],
  ['a line that is folded', (t) => head(t, 'GET', '/', ['X-A: 1\r\n  2', 'Connection: close']), [200, 400]],
  ['a header without a colon', (t) => head(t, 'GET', '/', ['nonsense', 'Connection: close']), [200, 400, 0]],
  ['h2c', (t) => head(t, 'GET', '/', ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABk', 'Connection: Upgrade, HTTP2-Settings']), [200, 400]],
  ['a range', (t) => head(t, 'GET', '/', ['Range: bytes=0-0,-1', 'Connection: close']), [200, 206, 416]],
];

async function requests(target) {
  const wrong = [];
  for (const [what, make, allowed] of REQUESTS) {
    const { status } = await exchange(target, make(target), { ms: 3000, quiet: 200 });
    if (!allowed.includes(status)) wrong.push(`${what}: ${status}, expected ${allowed.join(' or ')}`);
  }
  assert.deepEqual(wrong, [], 'each has the answer that it deserves');
  return `${REQUESTS.length} requests`;
}

// Requests from pages of other sites. A browser cannot send a false Origin, but DNS can lead it to send a false Host.
const ORIGINS = (t) => [
  ['null', 'null', hostOf(t)],
  ['another port', `http://${t.host}:1`, hostOf(t)],
  ['a foreign one', 'http://evil.example', hostOf(t)],
  ['DNS rebinding', `http://evil.example:${t.port}`, `evil.example:${t.port}`],
  ['a name that begins alike', `http://${t.host}.evil.example:${t.port}`, hostOf(t)],
  ['with a user', `http://${hostOf(t)}@evil.example`, hostOf(t)],
];

async function origins(target) {
  const wrong = [];
  for (const [what, origin, host] of ORIGINS(target)) {
    const { status } = await exchange(target, head(target, 'GET', '/ws', [...upgradeLines(), `Origin: ${origin}`, `Host: ${host}`]));
    if (status < 400 || status > 499) wrong.push(`WebSocket, ${what}: ${status}`);
    const lines = [`Origin: ${origin}`, `Host: ${host}`, 'Content-Type: application/json', 'Content-Length: 2', 'Connection: close'];
    const made = await exchange(target, `${head(target, 'POST', '/api/rooms', lines)}{}`);
    if (made.status < 400 || made.status > 499) wrong.push(`API, ${what}: ${made.status}`);
  }
  assert.deepEqual(wrong, [], 'no guess is admitted');
  return `${ORIGINS(target).length} origins`;
}

async function requestFlood(target, ms) {
  const end = now() + ms;
  let count = 0;
  const one = async () => {
    while (now() < end) {
      const socket = await open(target);
      count += await flood(socket, head(target, 'GET', '/metrics'), Math.min(300, end - now()));
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: 6 }, one));
  return `${count} requests`;
}

const TOTAL = 200; // KB/s

// Loads the page's files without pause or cache. The server must give the address only its share of the bandwidth, and must
// admit clients that join during the attack.
async function pageFlood(target, ms) {
  const page = new URL('/r/lobby', target.http);
  const [, script] = (await (await fetch(page)).text()).match(/src="([^"]+\.js)"/) ?? assert.fail('the page has a script');
  const began = now();
  const told = new Map();
  const one = async () => {
    while (now() < began + ms || (target.tight && !told.has(503) && now() < began + 60_000)) {
      const { status } = await exchange(target, head(target, 'GET', new URL(script, page).pathname, ['Connection: close']));
      told.set(status, (told.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 6 }, one));
  assert.deepEqual([...told.keys()].filter((status) => ![200, 429, 503, 0].includes(status)), [], 'each request gets an answer, or a time to come back');
  const said = [...told].map(([status, count]) => `${count} × ${status}`).join(', ');
  if (!target.tight) return said;
  assert.ok(told.get(503) > 0, 'not all of them are answered');
  const metrics = await (await fetch(new URL('/metrics', target.http))).text();
  const sent = Number(metrics.match(/^flockd_http_bytes_sent_total (\d+)$/m)?.[1]) / 1000;
  const most = (TOTAL * (60 + (now() - began) / 1000)) / 32; // KB: a quarter of an eighth of 60 s and of the time of the attack
  assert.ok(sent < most + 6 * 200, `${sent} KB were sent, of at most ${most}`);
  return `${said}, ${sent} KB`;
}

// Guesses the key of the metrics.
async function metricsKeys(target, ms) {
  const end = now() + ms;
  const told = new Map();
  let tries = 0;
  const one = async () => {
    while (now() < end) {
      const guess = tries % 7 === 6 ? 'k'.repeat(3000) : `guess${tries}key`;
      const path = tries % 2 === 0 ? '/metrics' : '/healthz';
      tries += 1;
      const { status, text } = await exchange(target, head(target, 'GET', path, [`Authorization: Bearer ${guess}`, 'Connection: close']));
      told.set(status, (told.get(status) ?? 0) + 1);
      assert.doesNotMatch(text, /flockd_|"rooms"/, 'no figures');
    }
  };
  await Promise.all(Array.from({ length: 6 }, one));
  assert.deepEqual([...told.keys()].filter((status) => ![200, 401, 403, 429, 0].includes(status)), [], 'each request is refused, some with the status alone');
  assert.ok((told.get(403) ?? 0) <= 61 + ms / 1000, `few keys are compared, 60 at once and then one a second: ${[...told]}`);
  return [...told].map(([status, count]) => `${count} × ${status}`).join(', ');
}

export const http = [
  { name: 'paths', about: 'paths out of the folder', short: true, run: paths },
  { name: 'requests', about: 'malformed, huge and smuggled requests', run: requests },
  { name: 'origins', about: 'pages of others, and DNS rebinding', short: true, run: origins },
  { name: 'request-flood', about: 'requests without end', run: requestFlood },
  { name: 'page-flood', about: 'the page without end, where bandwidth is limited', short: true, tight: ['--total-bandwidth', String(TOTAL)], run: pageFlood },
  { name: 'metrics-keys', about: 'guessed keys of the metrics', args: ['--metrics-key', METRICS_KEY], run: metricsKeys },
];
