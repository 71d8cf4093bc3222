// Canvases that record what is drawn on them.

import { set } from './document';

export type Call = [name: string, ...values: unknown[]];

/** Records all calls of its context. The value of each constant is its name. */
export class FakeCanvas {
  width = 0;
  height = 0;
  readonly calls: Call[] = [];
  private readonly context = new Proxy<Record<string, unknown>>(
    { canvas: this },
    {
      get: (fields, name: string) =>
        fields[name] ??
        (/^[A-Z]/.test(name)
          ? name
          : (...values: unknown[]) => {
              this.calls.push([name, ...values]);
              return name === 'createImageData' ? imageOf(Number(values[0]), Number(values[1])) : MADE;
            }),
      set: (fields, name: string, value) => {
        fields[name] = value;
        return true;
      },
    },
  );

  getContext(): unknown {
    return this.context;
  }
  readonly listeners = new Map<string, (event: Event) => void>();

  addEventListener(type: string, run: (event: Event) => void): void {
    this.listeners.set(type, run);
  }
  called(name: string): Call[] {
    return this.calls.filter((call) => call[0] === name);
  }
}

/** A gradient or a pattern. */
const MADE = { addColorStop: () => undefined, setTransform: () => undefined };

const imageOf = (width: number, height: number): object => ({ width, height, data: new Uint8ClampedArray(4 * width * height) });

/** An outline that is not looked at. */
class FakePath {
  moveTo(): void {}
  quadraticCurveTo(): void {}
}

/** From now on the page makes fake canvases. Returns the list of them, which grows. */
export function fakeCanvases(): FakeCanvas[] {
  const made: FakeCanvas[] = [];
  const createElement = (): FakeCanvas => {
    const canvas = new FakeCanvas();
    made.push(canvas);
    return canvas;
  };
  set('document', { createElement });
  set('Path2D', FakePath);
  return made;
}
