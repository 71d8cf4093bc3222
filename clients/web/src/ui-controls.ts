// The buttons of the view and the keys that do the same, and the help.

import { byId, setText } from './dom';
import { writing } from './input';

export interface ControlActions {
  nextLook(): void;
  togglePeople(): void;
  toggleMeasures(): void;
  toggleCentroid(): void;
}

export interface ControlsView {
  about(text: string): void;
}

export function createControls(actions: ControlActions): ControlsView {
  const help = byId('help', HTMLDialogElement);
  const about = byId('about', HTMLElement);
  const full = byId('fullscreen', HTMLButtonElement);
  full.hidden = !document.fullscreenEnabled;

  const toggleFull = (): void => {
    // A browser may refuse (an embedded page, no gesture): then nothing happens, as with any browser button.
    const done =
      document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen();
    done.catch(() => undefined);
  };
  const toggleHelp = (): void => (help.open ? help.close() : help.showModal());
  const keys: Record<string, () => void> = {
    l: () => actions.nextLook(),
    n: () => actions.togglePeople(),
    m: () => actions.toggleMeasures(),
    c: () => actions.toggleCentroid(),
    f: () => document.fullscreenEnabled && toggleFull(),
    '?': toggleHelp,
  };

  byId('look', HTMLButtonElement).addEventListener('click', () => actions.nextLook());
  byId('help-open', HTMLButtonElement).addEventListener('click', toggleHelp);
  full.addEventListener('click', toggleFull);
  // A click beside the dialog closes it.
  help.addEventListener('click', (event) => {
    if (event.target === help) help.close();
  });
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (writing(event.target) && !(help.open && event.key === '?')) return;
    const run = Object.hasOwn(keys, event.key.toLowerCase()) ? keys[event.key.toLowerCase()] : undefined;
    if (run === undefined) return;
    event.preventDefault();
    run();
  });

  return { about: (text) => setText(about, text) };
}
