// The button that opens the presenter's controls, which are loaded when one presents: others never need them.

import type { Covered } from '../../draw/camera';
import { backoff } from '../../net/backoff';
import { texts } from '../../texts/texts';
import { byId } from '../../app/dom';
import type { Panel } from './controls';
import type { ControlsOptions } from './options';
import type { View } from '../../app/view';

export interface Controls extends View {
  /** Loads what presenters have, for who is going to be one. */
  load(): void;
  /** Opens or closes them for a while: it is not remembered, and the focus stays where it is. */
  show(open: boolean): void;
  /** Whether they are open, or will be once this person presents. */
  shown(): boolean;
  /** Whether a click or a tap adds boids now. */
  adding(): boolean;
  /** CSS pixels of the window that they cover. */
  covers(): Covered;
}

export function createControls(options: ControlsOptions): Controls {
  const opener = byId('panel-open', HTMLButtonElement);
  let offered = false;
  let wanted = options.open;
  let panel: Panel | null = null;
  let loading = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows a failure once, to a person who asked for the controls. */
  async function load(asked: boolean): Promise<void> {
    if (panel !== null || loading) return;
    clearTimeout(timer);
    loading = true;
    opener.setAttribute('aria-busy', 'true');
    try {
      const { createPresenting } = await import('./index');
      const made = await createPresenting(options, () => wanted);
      panel = made.panel;
      options.onLoaded(made.views);
    } catch {
      if (asked || failures === 0) options.onRefused(texts.view.notLoaded);
      timer = setTimeout(() => void load(false), backoff(failures++));
    }
    loading = false;
    opener.removeAttribute('aria-busy');
  }

  /** Opens the controls, or notes to open them once they are loaded. */
  function open(): void {
    if (panel !== null) return;
    wanted = true;
    options.onToggle(true);
    void load(true);
  }

  opener.addEventListener('click', open);
  addEventListener('online', () => offered && void load(false));
  options.keys.on({ controls: () => (panel === null ? open() : panel.toggle()) });

  return {
    role(role) {
      offered = role === 'presenter';
      opener.hidden = !offered;
      if (offered) void load(false);
    },
    load: () => void load(false),
    show(open) {
      wanted = open;
      panel?.show(open);
    },
    shown: () => (panel === null ? wanted : panel.shown()),
    adding: () => panel?.adding() ?? false,
    covers: () => panel?.covers() ?? { right: 0, bottom: 0 },
  };
}
