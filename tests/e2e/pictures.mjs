// Pictures of the flock in the page.

export const SIZE = { width: 960, height: 600 };
export const TICKS = 45; // until a flock looks typical
const EDGE = 35; // of 255: grounds and trails differ less from one pixel to the sixth after it

// The canvas of the flock as a PNG, read as soon as the page has drawn it. A screenshot takes several frames more, for which a browser
// without a graphics processor on a busy machine needs minutes.
export async function canvasOf({ page }) {
  const drawn = await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => done(/** @type {HTMLCanvasElement} */ (document.getElementById('canvas')).toDataURL()))),
  );
  return Buffer.from(String(drawn).split(',')[1], 'base64');
}

// The flock without the rest of the page: a PNG and its number of pixels at edges. `changed` counts pixels at an edge in either this
// picture or the first one, and not in both.
export async function picture(view, taken = view.page.screenshot()) {
  const image = await taken;
  const counts = await view.page.evaluate(
    async ([base64, least]) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
      const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true }));
      pen.drawImage(bitmap, 0, 0);
      const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
      const edges = new Uint8Array(data.length / 4);
      const sixth = 4 * 6;
      for (let at = 0; at < data.length - sixth; at += 1) {
        if (at % 4 < 3 && Math.abs(data[at] - data[at + sixth]) > least) edges[at >> 2] = 1;
      }
      const first = (window.edges ??= edges);
      let [seen, changed] = [0, 0];
      for (let i = 0; i < edges.length; i += 1) {
        seen += edges[i];
        changed += edges[i] ^ first[i];
      }
      return { seen, changed };
    },
    /** @type {[string, number]} */ ([image.toString('base64'), EDGE]),
  );
  return { image, ...counts };
}

// In the page: hides all but the flock.
export function hideFurniture() {
  for (const each of document.body.querySelectorAll('*')) {
    if (each.id !== 'canvas') /** @type {any} */ (each).style.visibility = 'hidden';
  }
  document.getElementById('canvas').style.visibility = 'visible';
}
