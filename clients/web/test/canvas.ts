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
              return { addColorStop: () => undefined };
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
  addEventListener(): void {
    // No context is lost.
  }
  called(name: string): Call[] {
    return this.calls.filter((call) => call[0] === name);
  }
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
  return made;
}
