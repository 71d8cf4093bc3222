// Checks of a page's accessibility: axe-core's rules, the size of buttons, and the contrast of text over a flock, which axe-core
// cannot measure.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// Measured below, over the flock.
const APART = { 'color-contrast': { enabled: false } };
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental'];
const LEAST_SIZE = 24; // CSS pixels
const LEAST_CONTRAST = 4.5;

// Asserts all checks for the present view. backdrops: the CSS colours that may lie behind text.
export async function assertAccessible(page, what, backdrops) {
  await page.evaluate(atRest);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const options = { runOnly: RULES, rules: APART, resultTypes: ['violations'], preload: false };
  const violations = await page.evaluate(async (how) => (await window.axe.run(how)).violations, options);
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target}: ${failureSummary}`));
  assert.deepEqual(found, [], `${what}: axe-core finds nothing`);
  assert.deepEqual(await page.evaluate(smallTargets, LEAST_SIZE), [], `${what}: all that can be pressed is large enough`);
  assert.deepEqual(await page.evaluate(paleTexts, [backdrops, LEAST_CONTRAST]), [], `${what}: all text has contrast`);
}

// In the page: waits for animations, such as a panel that slides in.
export function atRest() {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
  return Promise.all(ending.map(({ finished }) => finished.catch(() => null)));
}

// In the page: elements that are too small for a finger. A field in a label counts with the label's size.
function smallTargets(least) {
  const seen = (element) => element.checkVisibility({ checkVisibilityCSS: true }) && element.closest('[inert]') === null;
  return [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter(seen)
    .map((element) => ({ element, box: (element.closest('label') ?? element).getBoundingClientRect() }))
    .filter(({ box: { width, height } }) => width < least || height < least)
    .map(({ element, box: { width, height } }) => `${element.outerHTML.slice(0, 90)}: ${width} × ${height}`);
}

// In the page: texts that are too pale on the worst of the backdrops.
function paleTexts([backdrops, least]) {
  const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (pen === null) throw new Error('no canvas');
  const known = new Map();
  const read = (color) => {
    if (!known.has(color)) known.set(color, look(color));
    return known.get(color);
  };
  const look = (color) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return { rgb: [r, g, b], a: a / 255 };
  };
  const over = (below, { rgb, a }, opacity = 1) => below.map((value, i) => value + (rgb[i] - value) * a * opacity);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  // The element's ancestors and the element, outermost first, without the page itself: the backdrop replaces it.
  const line = (element) => (element === null || element === document.body ? [] : [...line(element.parentElement), element]);

  function worst(element) {
    const styles = line(element).map((each) => getComputedStyle(each));
    const ratios = backdrops.map((backdrop) => {
      let opacity = 1;
      let below = read(backdrop).rgb;
      for (const style of styles) {
        opacity *= Number(style.opacity);
        below = over(below, read(style.backgroundColor), opacity);
      }
      return contrast(over(below, read(styles.at(-1).color), opacity), below);
    });
    return Math.min(...ratios);
  }

  const own = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(node.data));
  const fades = (element) => line(element).some((each) => each.getAnimations().length > 0);
  const shown = (element) =>
    element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) && element.closest('[inert], :disabled, .unseen, #spoken') === null && !fades(element);
  const covered = document.querySelector('dialog[open]') ?? document.body;
  return [...covered.querySelectorAll('*')]
    .filter((element) => own(element) && shown(element))
    .map((element) => ({ element, ratio: worst(element) }))
    .filter(({ ratio }) => ratio < least)
    .map(({ element, ratio }) => `${element.outerHTML.slice(0, 90)}: ${ratio.toFixed(2)}`);
}
