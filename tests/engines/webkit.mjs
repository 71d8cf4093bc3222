// WebKitGTK's MiniBrowser on a screen of its own, by WebDriver's classic form: JSON over HTTP. https://www.w3.org/TR/webdriver2/
import net from 'node:net';
import { freePort } from '../../docker/cluster.mjs';
import { until } from '../e2e/until.mjs';
import { createInputs } from './inputs.mjs';
import { createPrograms } from './programs.mjs';

const DEADLINE = 120_000; // ms for a command
const BAR = 40; // of the window, above the page
const HEIGHT = 540 + BAR; // of the window
const SCREEN = [1400, 2000];
const BY_PROCESSOR = { WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1' }; // Mesa's GPU in software crashes WebKit within minutes

export async function startWebKit() {
  const programs = createPrograms();
  try {
    const screen = programs.start('Xvfb', ['-displayfd', '3', '-screen', '0', `${SCREEN.join('x')}x24`, '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    const display = await until('Xvfb says which screen it is', () => screen.said.match(/^\d+$/m)?.[0], () => screen.said);
    const port = await freePort(); // the driver does not accept port 0
    const driver = programs.start('WebKitWebDriver', [`--port=${port}`], { env: { DISPLAY: `:${display}`, ...BY_PROCESSOR } });
    await until('WebKitWebDriver answers', () => reachable(port), () => driver.said);
    return await connect(programs, `http://127.0.0.1:${port}`);
  } catch (error) {
    await programs.stop();
    throw error;
  }
}

async function connect(programs, driver) {
  const { sessionId } = await call(`${driver}/session`, { capabilities: {} });
  const session = `${driver}/session/${sessionId}`;
  const resize = (width, height) => call(`${session}/window/rect`, { width, height });
  await resize(800, HEIGHT);
  const run = async (program, ...args) => {
    const result = await call(`${session}/execute/sync`, { script: `return JSON.stringify((${program})(...arguments))`, args });
    return result === null ? undefined : JSON.parse(result);
  };
  return {
    name: 'WebKit',
    resize: (width, height) => resize(width, height + BAR),
    async newTab() {
      const before = await call(`${session}/window`);
      const { handle } = await call(`${session}/window/new`, { type: 'tab' });
      await call(`${session}/window`, { handle: before });
      await remove(`${session}/window`);
      await call(`${session}/window`, { handle });
    },
    ...createInputs((actions) => call(`${session}/actions`, { actions })),
    ...createFinger(run),
    open: (url) => call(`${session}/url`, { url }),
    run,
    picture: async () => Buffer.from(await call(`${session}/screenshot`), 'base64'),
    // Whether the window is high enough for a long page: what WebKit has scrolled to can jump back once, some time later, if the page has grown since.
    showAll: (all) => resize(800, all ? SCREEN[1] : HEIGHT),
    async close() {
      await remove(session).catch(() => undefined);
      await programs.stop();
    },
  };
}

// This driver turns a finger into a mouse. So the test dispatches touch events, which look real to the page.
function createFinger(run) {
  const tell = (type, at) =>
    run(
      (event, [clientX, clientY]) => {
        const options = { pointerType: 'touch', pointerId: 7, isPrimary: true, bubbles: true, cancelable: true, clientX, clientY };
        document.elementFromPoint(clientX, clientY)?.dispatchEvent(new PointerEvent(event, options));
      },
      type,
      at,
    );
  let last = [0, 0];
  return {
    fingerDown: (at) => tell('pointerdown', (last = at)),
    fingerMove: (at) => tell('pointermove', (last = at)),
    fingerUp: () => tell('pointerup', last),
  };
}

// Without a body: asks.
async function call(url, body) {
  const asked = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url, { ...asked, signal: AbortSignal.timeout(DEADLINE) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${new URL(url).pathname}: ${value.error}: ${value.message}`);
  return value;
}

const remove = (url) => fetch(url, { method: 'DELETE', signal: AbortSignal.timeout(DEADLINE) });

const reachable = (port) =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
