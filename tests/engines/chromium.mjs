// Chromium by its own protocol, as everywhere else in the tests.
import { startBrowser } from '../e2e/browser.mjs';

export async function startChromium() {
  const browser = await startBrowser({ full: true });
  const context = await browser.newContext({ viewport: { width: 800, height: 540 }, hasTouch: true });
  let page = await context.newPage();
  let devtools = await context.newCDPSession(page);
  const touch = (type, ...points) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  return {
    name: 'Chromium',
    resize: (width, height) => page.setViewportSize({ width, height }),
    async newTab() {
      const before = page;
      page = await context.newPage();
      devtools = await context.newCDPSession(page);
      await page.setViewportSize(before.viewportSize() ?? { width: 800, height: 540 });
      await before.close();
    },
    open: (url) => page.goto(url),
    run: (program, ...args) => page.evaluate(`(${program})(...${JSON.stringify(args)})`),
    picture: () => page.screenshot(),
    move: ([x, y]) => page.mouse.move(x, y),
    click: ([x, y]) => page.mouse.click(x, y),
    async drag([fromX, fromY], [toX, toY]) {
      await page.mouse.move(fromX, fromY);
      await page.mouse.down();
      await page.mouse.move(toX, toY, { steps: 8 });
      await page.mouse.up();
    },
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    fingerDown: (at) => touch('touchStart', at),
    fingerMove: (at) => touch('touchMove', at),
    fingerUp: () => touch('touchEnd'),
    close: () => browser.close(),
  };
}
