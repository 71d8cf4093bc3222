// The buttons of the view and the keys that do the same, and the help.

import type { Renderer } from '../draw/scene';
import type { Model } from '../flock/model';
import { modelName } from '../texts/names';
import { texts } from '../texts/texts';
import { byId, setText } from './dom';
import { keyOf, writing } from './input';
import type { View } from './view';

export interface ToolbarActions {
  nextLook(): void;
  nextTheme(): void;
  togglePeople(): void;
  toggleMeasures(): void;
  toggleCentroid(): void;
}

export function createToolbar(model: Model, renderer: Renderer['kind'], actions: ToolbarActions): View {
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
  const toggleHelp = (): void => {
    if (help.open) return help.close();
    help.showModal();
    help.scrollTop = 0; // not at the button at its end, which has the focus
  };
  const keys: Record<string, () => void> = {
    l: () => actions.nextLook(),
    t: () => actions.nextTheme(),
    n: () => actions.togglePeople(),
    m: () => actions.toggleMeasures(),
    c: () => actions.toggleCentroid(),
    f: () => document.fullscreenEnabled && toggleFull(),
    '?': toggleHelp,
  };

  byId('look', HTMLButtonElement).addEventListener('click', () => actions.nextLook());
  byId('theme', HTMLButtonElement).addEventListener('click', () => actions.nextTheme());
  byId('help-open', HTMLButtonElement).addEventListener('click', toggleHelp);
  full.addEventListener('click', toggleFull);
  // A click beside the dialog closes it.
  help.addEventListener('click', (event) => {
    if (event.target === help) help.close();
  });
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const key = keyOf(event);
    if (writing(event.target) && !(help.open && key === '?')) return;
    const run = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (run === undefined) return;
    event.preventDefault();
    run();
  });

  return {
    room(room) {
      const drawn = renderer === '2d' ? 'Canvas2D' : 'WebGL2';
      setText(about, texts.help.drawn(model.welcome()?.server ?? '', modelName(room.model), drawn));
    },
  };
}
