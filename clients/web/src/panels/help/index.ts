// The help: what a cursor does, and the keys that this person may use.

import { KEYS, type KeyRow, type Keys } from '../../app/keys';
import type { Renderer } from '../../draw/scene';
import type { Model } from '../../flock/model';
import { withKeys } from '../../texts/fill';
import { modelName } from '../../texts/names';
import { texts } from '../../texts/texts';
import { byId, make, setText } from '../../app/dom';
import type { View } from '../../app/view';

/** The keyboard's layout, in browsers that know it. */
interface Keyboard {
  getLayoutMap?(): Promise<ReadonlyMap<string, string>>;
}

export interface HelpOptions {
  model: Model;
  keys: Keys;
  renderer: Renderer['kind'];
}

export function createHelp({ model, keys, renderer }: HelpOptions): View {
  const help = byId('help', HTMLDialogElement);
  const about = byId('about', HTMLElement);
  const steering = byId('help-steering', HTMLElement);
  const lists = { everyone: byId('help-keys', HTMLElement), presenter: byId('help-presenter-keys', HTMLElement) };
  const presenters = byId('help-presenters', HTMLElement);
  const shortcuts = byId('shortcuts', HTMLInputElement);

  const kbd = (name: string): HTMLElement => make('kbd', {}, name);

  function rowOf(row: KeyRow): HTMLElement {
    return make('div', {}, make('dt', {}, kbd(keys.label(row))), make('dd', {}, ...withKeys(texts.keys[row.action])));
  }

  function draw(): void {
    steering.replaceChildren(...keys.steering().flatMap((name) => [kbd(name), ' ']));
    for (const who of ['everyone', 'presenter'] as const)
      lists[who].replaceChildren(...KEYS.filter((row) => row.who === who).map(rowOf));
    presenters.hidden = model.role() !== 'presenter';
  }

  async function learnLayout(): Promise<void> {
    const { keyboard } = navigator as Navigator & { keyboard?: Keyboard };
    const layout = await keyboard?.getLayoutMap?.();
    layout?.forEach((key, code) => keys.learn(code, key));
    draw();
  }

  function toggle(): void {
    if (help.open) return help.close();
    draw();
    learnLayout().catch(() => undefined); // then the keys have the names of an English keyboard
    help.showModal();
    help.scrollTop = 0; // not at the button at its end, which has the focus
  }

  shortcuts.checked = keys.shortcuts();
  shortcuts.addEventListener('change', () => keys.useShortcuts(shortcuts.checked));
  byId('help-open', HTMLButtonElement).addEventListener('click', toggle);
  // A click beside the dialog closes it.
  help.addEventListener('click', (event) => {
    if (event.target === help) help.close();
  });
  keys.on({ help: toggle });

  return {
    room(room) {
      const drawn = renderer === '2d' ? 'Canvas2D' : 'WebGL2';
      setText(about, texts.help.drawn(model.welcome()?.server ?? '', modelName(room.model), drawn));
    },
  };
}
