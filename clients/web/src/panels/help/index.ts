// The help: the effect of the cursor, the keys that this person may use, and the language.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import type { KeyAction, KeyRow } from '../../app/keys';
import { offerLanguages } from '../../app/language';
import { guidanceOf } from '../../flock/guidance';
import { withKeys } from '../../texts/fill';
import { modelName } from '../../texts/names';
import { helpTexts } from '../../texts/help';
import { type Language, texts } from '../../texts/texts';
import { byId, make, setText } from '../../app/dom';
import { labelOf, steeringLabels } from './labels';

/** navigator.keyboard, which some browsers lack. */
interface Keyboard {
  getLayoutMap?(): Promise<ReadonlyMap<string, string>>;
}

export { default as sheet } from './index.css';
export { default as html } from './index.html';
export { helpTexts as texts } from '../../texts/help';

export function mount({ model, keys, renderer }: Context): Panel {
  const help = byId('help', HTMLDialogElement);
  const effect = byId('help-guidance', HTMLElement);
  const about = byId('about', HTMLElement);
  const steering = byId('help-steering', HTMLElement);
  const lists = { everyone: byId('help-keys', HTMLElement), presenter: byId('help-presenter-keys', HTMLElement) };
  const presenters = byId('help-presenters', HTMLElement);
  const shortcuts = byId('shortcuts', HTMLInputElement);

  const textOf = ({ action, text }: KeyRow): string => text?.[texts.language as Language] ?? helpTexts().keys[action as KeyAction];
  const names: Readonly<Record<string, string>> = helpTexts().keyNames;
  const kbd = (name: string): HTMLElement => make('kbd', {}, names[name] ?? name);

  function rowOf(row: KeyRow): HTMLElement {
    return make('div', {}, make('dt', {}, kbd(labelOf(row, keys))), make('dd', {}, ...withKeys(textOf(row))));
  }

  function draw(): void {
    steering.replaceChildren(...steeringLabels(keys).flatMap((name) => [kbd(name), ' ']));
    for (const who of ['everyone', 'presenter'] as const)
      lists[who].replaceChildren(...keys.rows().filter((row) => row.who === who).map(rowOf));
    presenters.hidden = model.role() !== 'presenter';
  }

  async function learnLayout(): Promise<void> {
    const { keyboard } = navigator as Navigator & { keyboard?: Keyboard };
    const layout = await keyboard?.getLayoutMap?.();
    layout?.forEach((key, code) => keys.learn(code, key));
    draw();
  }

  /** Describes the effect of this person's cursor, and names the renderer. */
  function describe(): void {
    const room = model.room();
    const now = guidanceOf(model);
    if (room === null || now === null) return;
    setText(effect, texts.guidance[now]);
    const drawn = renderer.kind === '2d' ? 'Canvas2D' : 'WebGL2';
    setText(about, helpTexts().help.drawn(model.welcome()?.server ?? '', modelName(room.model), drawn));
  }

  shortcuts.checked = keys.shortcuts();
  shortcuts.addEventListener('change', () => keys.useShortcuts(shortcuts.checked));
  offerLanguages();

  return {
    opened(open) {
      if (!open) return;
      draw();
      describe();
      learnLayout().catch(() => undefined); // without a layout the keys have the names of an English keyboard
      help.scrollTop = 0; // the browser scrolls to the focused button at the end
    },
    room: describe,
    role: describe,
    params: describe,
  };
}
