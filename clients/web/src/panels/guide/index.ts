// What moving one's cursor does in this room now: a hint until it was moved once, in the help, and for who does not see the flock.

import { type Guidance, guidance } from '../../flock/guidance';
import type { Model } from '../../flock/model';
import { texts } from '../../texts/texts';
import { byId, setText } from '../../app/dom';
import type { View } from '../../app/view';

type Steers = keyof typeof texts.hint;

const steers = (guidance: Guidance): guidance is Steers => Object.hasOwn(texts.hint, guidance);

/** steered: whether this person has steered. */
export function createGuide(model: Model, steered: () => boolean): View {
  const hint = byId('hint', HTMLElement);
  const mouse = byId('hint-mouse', HTMLElement);
  const finger = byId('hint-finger', HTMLElement);
  const stage = byId('stage', HTMLElement);
  const help = byId('help-guidance', HTMLElement);
  let now: Guidance | null = null;

  function guide(): void {
    const room = model.room();
    const next = room === null ? null : guidance(room, model.role() === 'presenter');
    if (next === now || next === null) return;
    now = next;
    const { stage: seen, stageSteers, [next]: text } = texts.guidance;
    stage.setAttribute('aria-label', steers(next) ? stageSteers(text) : seen(text));
    setText(help, text);
    if (!steers(next)) return;
    setText(mouse, texts.hint[next].mouse);
    setText(finger, texts.hint[next].finger);
  }

  return {
    room: guide,
    role: guide,
    params: guide,
    figures() {
      const inSight = model.shown() !== null && model.status().kind === 'connected';
      hint.hidden = !(inSight && now !== null && steers(now) && !steered());
    },
  };
}
