// Firefox by WebDriver BiDi: one WebSocket, JSON both ways. https://www.w3.org/TR/webdriver-bidi/
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import WebSocket from 'ws';
import { until } from '../e2e/until.mjs';
import { createInputs } from './inputs.mjs';
import { createPrograms } from './programs.mjs';

// The browser reaches the test's server only: its proxy for all other addresses does not exist.
const PREFERENCES = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'app.normandy.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
};

export async function startFirefox() {
  const programs = createPrograms();
  const preferences = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
  writeFileSync(path.join(programs.folder, 'user.js'), preferences.join('\n'));
  const firefox = programs.start('firefox-esr', ['--headless', '--no-remote', '--profile', programs.folder, '--remote-debugging-port', '0']);
  try {
    const [, address] = await until('Firefox says where it listens', () => firefox.said.match(/BiDi listening on (ws:\S+)/), () => firefox.said);
    return await connect(programs, address);
  } catch (error) {
    await programs.stop();
    throw error;
  }
}

async function connect(programs, address) {
  const call = await openSocket(`${address}/session`);
  await call('session.new', { capabilities: {} });
  const { contexts } = await call('browsingContext.getTree', {});
  let [{ context }] = contexts;
  let size = { width: 800, height: 540 };
  const resize = () => call('browsingContext.setViewport', { context, viewport: size });
  await resize();
  return {
    name: 'Firefox',
    resize(width, height) {
      size = { width, height };
      return resize();
    },
    async newTab() {
      const before = context;
      ({ context } = await call('browsingContext.create', { type: 'tab' }));
      await resize();
      await call('browsingContext.close', { context: before });
    },
    ...createInputs((actions) => call('input.performActions', { context, actions })),
    open: (url) => call('browsingContext.navigate', { context, url, wait: 'complete' }),
    async run(program, ...args) {
      const expression = `JSON.stringify((${program})(...${JSON.stringify(args)}))`;
      const { result, exceptionDetails } = await call('script.evaluate', { expression, target: { context }, awaitPromise: false });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value === undefined ? undefined : JSON.parse(result.value);
    },
    async picture() {
      const { data } = await call('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
    close: () => programs.stop(),
  };
}

// Resolves to a function that sends a command and resolves to its result.
async function openSocket(address) {
  const socket = new WebSocket(address);
  const waiting = new Map();
  const fail = (reason) => {
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  };
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', ({ message }) => fail(message));
  socket.on('close', () => fail('Firefox has closed its WebSocket'));
  socket.on('message', (data) => {
    const { id, type, result, error, message } = JSON.parse(String(data));
    const asked = waiting.get(id);
    waiting.delete(id);
    if (type === 'success') asked?.resolve(result);
    else asked?.reject(new Error(`${asked.method}: ${error}: ${message}`));
  });
  let last = 0;
  return (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { method, resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
}
