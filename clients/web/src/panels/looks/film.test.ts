// The saved picture shows what the person sees.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, set } from '../../../test/document';
import { createFilm } from './film';

test('a picture has all canvases of the stage, also those that came later, where they are, and none that is hidden', () => {
  const page = createPage('<main id="stage"><canvas id="canvas"></canvas><canvas id="overlay"></canvas></main>');
  set('HTMLCanvasElement', page.HTMLCanvasElement);
  const drawn: unknown[][] = [];
  const saved: unknown[] = [];
  const pen = { globalAlpha: 1, drawImage: ({ id }: Element, ...at: number[]) => drawn.push([id, pen.globalAlpha, ...at]) };
  Object.assign(page.HTMLCanvasElement.prototype, { getContext: () => pen, toBlob: () => saved.push('picture') });
  const [boids, overlay] = document.querySelectorAll('canvas');
  const film = createFilm(document.querySelector('#stage') as HTMLElement, () => 'flock', null);
  const walls = document.createElement('canvas');
  walls.id = 'walls';
  walls.style.opacity = '0.5';
  overlay.before(walls);
  const place = (canvas: HTMLCanvasElement, x: number, y: number, width: number, height: number): void => {
    canvas.getBoundingClientRect = () => ({ x, y, width, height }) as DOMRect;
  };
  for (const canvas of [boids, overlay]) place(canvas, 0, 0, 400, 300);
  place(walls, 10, 20, 800, 600); // the camera has moved since they were painted
  Object.assign(boids, { width: 800, height: 600 }); // two pixels each
  film.picture();
  film.frame();
  assert.deepEqual(drawn.splice(0), [
    ['canvas', 1, 0, 0, 800, 600],
    ['walls', 0.5, 20, 40, 1600, 1200],
    ['overlay', 1, 0, 0, 800, 600],
  ]);
  walls.hidden = true;
  film.picture();
  film.frame();
  assert.deepEqual(drawn.map(([id]) => id), ['canvas', 'overlay']);
  assert.equal(saved.length, 2);
});
