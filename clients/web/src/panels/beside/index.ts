// Two rooms beside each other, with one cursor: two frames, each with the page of a room. This page sends each frame the position of
// the cursor in the other frame. It also sends both the choice of a room; the chosen room shows the controls. Each room has a frame,
// because its page needs a window of its own for its elements, keys, sizes and style.

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

export interface BesideOptions {
  codes: readonly [string, string];
  open: boolean; // whether the controls are open at first
  onProjector(shown: boolean): void; // called after both rooms opened (true) or closed (false) the projector view
}

/** Replaces the page's contents by the two rooms. */
export async function showBeside({ codes, open, onProjector }: BesideOptions): Promise<void> {
  await loadSheet(sheet, import.meta.url);
  const panes = codes.map((code, index): Pane => {
    const src = frameAddress(code) + (index === 0 ? location.hash : joinFragment(codes));
    return { code, frame: make('iframe', { src, title: spacedCode(code), allow: 'fullscreen; clipboard-write' }) };
  });
  const main = make('main', { id: 'beside' }, ...panes.map(({ frame }) => frame));
  let chosen = 0;
  let controls = open;

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
