// Two rooms beside each other, with one cursor: two frames, each with the page of a room. This page sends each frame the position of
// the cursor in the other frame. It also sends both the choice of a room; the chosen room shows the controls. Each room has a frame,
// because its page needs a window of its own for its elements, keys, sizes and style. Below both stand their measures by time, in one plot.

import { roomAddress, spacedCode } from '../../net/codes';
import { joinKeyIn } from '../../flock/presenter';
import { texts } from '../../texts/texts';
import sheet from './index.css';
import { type FromFrame, type ToFrame, fromFrame } from './messages';
import { make } from '../../app/dom';
import { stayAlone } from '../../app/pair';
import { loadSheet } from '../../app/sheet';
import { read } from '../../app/storage';

interface Pane {
  code: string;
  frame: HTMLIFrameElement;
}

/** The plots of both rooms, plots/both.ts. */
interface Both {
  show(open: boolean): void;
}

export interface BesideOptions {
  codes: readonly [string, string];
  open: boolean; // whether the controls are open at first
  onProjector(shown: boolean): void; // called after both rooms opened (true) or closed (false) the projector view
  /** Loads and adds the plots of the rooms in these frames. close: closes them. leave: takes the focus away from them. */
  makeBoth(frames: readonly HTMLIFrameElement[], leave: () => void): Promise<Both>;
}

/** Replaces the page's contents by the two rooms. */
export async function showBeside({ codes, open, onProjector, makeBoth }: BesideOptions): Promise<void> {
  await loadSheet(sheet, import.meta.url);
  const panes = codes.map((code, index): Pane => {
    const src = frameAddress(code) + (index === 0 ? location.hash : joinFragment(codes));
    return { code, frame: make('iframe', { src, title: spacedCode(code), allow: 'fullscreen; clipboard-write' }) };
  });
  const main = make('main', { id: 'beside' }, ...panes.map(({ frame }) => frame));
  let chosen = 0;
  let controls = open;
  let both: Promise<Both> | null = null;

  function sendTo({ frame }: Pane, message: ToFrame): void {
    frame.contentWindow?.postMessage(message, location.origin);
  }

  /** Gives the room with the controls more space by their width, so that both flocks have the same space and scale. */
  function showColumns(): void {
    main.className = controls ? `controls-${chosen}` : '';
  }

  function showChoice(): void {
    showColumns();
    panes.forEach((pane, index) => {
      pane.frame.classList.toggle('chosen', index === chosen);
      sendTo(pane, { kind: 'choice', chosen: index === chosen, controls: index === chosen && controls });
    });
  }

  /** Shows the plots of both rooms while a room offers its measures. */
  function showPlots(): void {
    const frames = panes.map(({ frame }) => frame);
    const offered = (): boolean => frames.some(({ contentWindow }) => contentWindow?.plotted !== undefined);
    if (offered()) both ??= makeBoth(frames, () => panes[chosen].frame.focus());
    both?.then(
      (plots) => plots.show(offered()),
      () => (both = null), // the next change of the plots tries again
    );
  }

  function receive(index: number, message: FromFrame): void {
    const other = panes[1 - index];
    switch (message.kind) {
      case 'here':
        showChoice();
        if (index === chosen) panes[index].frame.focus();
        break;
      case 'chosen':
        if (index === chosen) return;
        chosen = index;
        showChoice();
        break;
      case 'controls':
        if (index !== chosen) return;
        controls = message.open;
        showColumns();
        break;
      case 'shows':
        onProjector(message.projector);
        sendTo(other, message);
        break;
      case 'cursor':
      case 'camera':
      case 'scale':
        sendTo(other, message);
        break;
      case 'plots':
        showPlots();
        break;
      case 'title':
        panes[index].frame.title = message.title;
        document.title = texts.beside.title(panes[0].frame.title, panes[1].frame.title);
        break;
      case 'close':
        stayAlone(other.code, panes[index].code);
        location.assign(roomAddress(other.code, location.href));
        break;
    }
  }

  addEventListener('message', ({ origin, source, data }) => {
    const index = panes.findIndex(({ frame }) => frame.contentWindow === source);
    const message = origin === location.origin && index >= 0 ? fromFrame(data) : null;
    if (message !== null) receive(index, message);
  });
  // The keys of the chosen room also work while the focus is in the plots.
  for (const type of ['keydown', 'keyup'] as const)
    addEventListener(type, (event) => {
      const used = /^(Tab|Enter| |Arrow.*)$/.test(event.key) && event.target instanceof Element && event.target.closest('button, input') !== null;
      const inside = panes[chosen].frame.contentWindow as (Window & typeof globalThis) | null;
      if (!used && inside !== null) inside.dispatchEvent(new inside.KeyboardEvent(type, event));
    });
  history.replaceState(history.state, '', location.pathname + location.search); // removes the keys from the address
  document.body.replaceChildren(main);
}

/** Returns the fragment with the first room's join key, which its branch has too, unless the browser knows the second room's. */
function joinFragment([first, second]: readonly [string, string]): string {
  const known = (code: string): string => read(() => sessionStorage, `flock.join ${roomAddress(code, location.href)}`);
  const join = known(second) === '' ? joinKeyIn(location.hash) || known(first) : '';
  return join === '' ? '' : `#join=${join}`;
}

/** Returns the address of a room's page in its frame. It has the other parameters of this page's address. */
function frameAddress(code: string): string {
  const address = new URL(roomAddress(code, location.href));
  for (const [name, value] of new URLSearchParams(location.search)) if (name !== 'beside') address.searchParams.append(name, value);
  return address.href;
}
