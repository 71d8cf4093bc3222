// Two rooms side by side, with one cursor: two frames, each with the page of a room. This page sends each frame the cursor
// in the other one, and the choice between the two: the chosen room has the controls. Frames, because all of a
// room's page (its elements, keys, sizes and style) is made for a window of its own, and so has one.

import { roomAddress, spacedCode } from '../../net/codes';
import { texts } from '../../texts/texts';
import sheet from './index.css';
import { type FromFrame, type ToFrame, fromFrame } from './messages';
import { make } from '../../app/dom';
import { loadSheet } from '../../app/sheet';

interface Pane {
  code: string;
  frame: HTMLIFrameElement;
}

export interface BesideOptions {
  codes: readonly [string, string];
  open: boolean; // whether the controls are open at first
  onProjector(shown: boolean): void; // both show the projector view now, or neither
}

/** Shows them in place of all that is in the page. */
export async function showBeside({ codes, open, onProjector }: BesideOptions): Promise<void> {
  await loadSheet(sheet, import.meta.url);
  const panes = codes.map((code, index): Pane => {
    const src = frameAddress(code) + (index === 0 ? location.hash : '');
    return { code, frame: make('iframe', { src, title: spacedCode(code), allow: 'fullscreen; clipboard-write' }) };
  });
  let chosen = 0;
  let controls = open;

  function tell({ frame }: Pane, message: ToFrame): void {
    frame.contentWindow?.postMessage(message, location.origin);
  }

  function showChoice(): void {
    panes.forEach((pane, index) => {
      pane.frame.classList.toggle('chosen', index === chosen);
      tell(pane, { kind: 'choice', chosen: index === chosen, controls: index === chosen && controls });
    });
  }

  function heard(index: number, message: FromFrame): void {
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
        if (index === chosen) controls = message.open;
        break;
      case 'shows':
        onProjector(message.projector);
        tell(other, message);
        break;
      case 'cursor':
        tell(other, message);
        break;
      case 'title':
        panes[index].frame.title = message.title;
        document.title = texts.beside.title(panes[0].frame.title, panes[1].frame.title);
        break;
      case 'close':
        location.assign(roomAddress(other.code, location.href));
        break;
    }
  }

  addEventListener('message', ({ origin, source, data }) => {
    const index = panes.findIndex(({ frame }) => frame.contentWindow === source);
    const message = origin === location.origin && index >= 0 ? fromFrame(data) : null;
    if (message !== null) heard(index, message);
  });
  history.replaceState(history.state, '', location.pathname + location.search); // keys leave the address
  document.body.replaceChildren(make('main', { id: 'beside' }, ...panes.map(({ frame }) => frame)));
}

/** Of the room's page in its frame: as this page's, with what its address says besides. */
function frameAddress(code: string): string {
  const address = new URL(roomAddress(code, location.href));
  for (const [name, value] of new URLSearchParams(location.search)) if (name !== 'beside') address.searchParams.append(name, value);
  return address.href;
}
