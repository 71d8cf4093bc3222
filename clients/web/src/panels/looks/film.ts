// The flock on this screen as files: a picture, and a film of ten seconds.

import { make } from '../../app/dom';
import { save } from '../../app/save';

const SECONDS = 10;
const RATE = 30; // pictures a second, at most
const FORMS = ['video/webm;codecs=vp9', 'video/webm', 'video/mp4'];

export interface Film {
  /** Called in each frame of the screen, after the flock was drawn: a canvas of WebGL can be read only then. */
  frame(): void;
  /** Saves a picture of the next frame. */
  picture(): void;
  /** Saves a film of the next ten seconds, or of the seconds until it is called again. */
  toggle(): void;
  /** Seconds that are left; null: no film is being made. */
  left(): number | null;
}

/** Returns a form of films that the browser can make; null: none. */
export const filmForm = (): string | null => ('MediaRecorder' in globalThis ? (FORMS.find((form) => MediaRecorder.isTypeSupported(form)) ?? null) : null);

/** stage: the element with the canvases, the lowest first. name: of the files, without what follows the dot. */
export function createFilm(stage: HTMLElement, name: () => string, form: string | null): Film {
  const canvas = make('canvas', {});
  const pen = canvas.getContext('2d', { alpha: false });
  let wanted = false; // a picture
  let recorder: MediaRecorder | null = null;
  let until = 0; // ms

  const layers = (): HTMLCanvasElement[] => [...stage.querySelectorAll<HTMLCanvasElement>('canvas:not([hidden])')];

  /** Paints what the person sees. The page may have moved a layer that is not painted again yet. */
  function paint(): void {
    if (pen === null) return;
    const [flock] = layers();
    const whole = flock.getBoundingClientRect();
    const [across, down] = [canvas.width / whole.width, canvas.height / whole.height];
    for (const layer of layers()) {
      const { x, y, width, height } = layer.getBoundingClientRect();
      pen.globalAlpha = Number(layer.style.opacity || 1);
      pen.drawImage(layer, x * across, y * down, width * across, height * down);
    }
  }

  /** Gives the canvas the size that the flock has now. */
  function size(): void {
    const [flock] = layers();
    canvas.width = flock.width;
    canvas.height = flock.height;
  }

  function begin(mimeType: string): void {
    size();
    paint();
    const parts: Blob[] = [];
    const stream = canvas.captureStream(RATE);
    const made = new MediaRecorder(stream, { mimeType });
    made.addEventListener('dataavailable', ({ data }) => void parts.push(data));
    made.addEventListener('stop', () => {
      for (const track of stream.getTracks()) track.stop();
      save(new Blob(parts, { type: mimeType }), `${name()}.${mimeType.startsWith('video/mp4') ? 'mp4' : 'webm'}`);
    });
    made.start();
    until = performance.now() + 1000 * SECONDS;
    recorder = made;
  }

  function end(): void {
    recorder?.stop();
    recorder = null;
  }

  return {
    frame() {
      if (recorder !== null) paint();
      if (recorder !== null && performance.now() > until) end();
      if (!wanted) return;
      wanted = false;
      if (recorder === null) size();
      paint();
      canvas.toBlob((blob) => blob !== null && save(blob, `${name()}.png`));
    },
    picture: () => void (wanted = true),
    toggle() {
      if (recorder !== null) end();
      else if (form !== null) begin(form);
    },
    left: () => (recorder === null ? null : Math.max(0, Math.ceil((until - performance.now()) / 1000))),
  };
}
