// The model's parameters on the page. Each has a slider, a field for the exact value, and a button back to the initial value.

import { make, setText } from '../../app/dom';
import { clamp } from '../../numbers';
import type { Param } from '../../net/protocol';
import { paramName, paramText, unitName } from '../../texts/names';
import { controlsTexts } from '../../texts/controls';
import { exact } from '../../texts/texts';
import { TRACK_STEP, createScale, tidy } from './scale';

export interface SliderActions {
  grab(name: string): void;
  release(name: string): void;
  change(name: string, value: number): void;
}

export interface SliderView {
  element: HTMLElement;
  show(value: number): void;
  /** Shows why the server refused a value, which stays in the field for corrections. isSo: returns whether the reason still holds. */
  refuse(message: string, value: number, isSo: () => boolean): void;
  /** Hides a refusal whose reason no longer holds. */
  review(): void;
}

export function createSlider(param: Param, actions: SliderActions): SliderView {
  const { name } = param;
  const [unit, text] = [unitName(param.unit), paramText(name, param.text)];
  const [min, max, initial] = [param.min, param.max, param.initial].map(tidy);
  const scale = createScale({ min, max, initial });
  const label = paramName(name);
  const [least, most, first] = [min, max, initial].map(exact);
  const measured = unit === '' ? most : `${most} ${unit}`;
  const t = controlsTexts().panel;
  const range = t.range(least, measured, first);
  const slider = make('input', { type: 'range', min: '0', max: '1', step: String(TRACK_STEP), 'aria-label': label });
  const field = make('input', {
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    enterkeyhint: 'done',
    'aria-label': t.exact(label),
    title: range,
  });
  const back = make('button', { type: 'button', class: 'back', title: t.back(first) }, '↺');
  const about = make('p', { class: 'about', id: `about-${name}` }, text, make('span', { class: 'unseen' }, ` ${range}`));
  const problem = make('p', { class: 'problem', role: 'alert', hidden: '' });
  const element = make(
    'div',
    { class: 'slider', 'data-param': name },
    make('span', { class: 'name' }, label),
    make('span', { class: 'exact' }, back, field, make('span', { class: 'unit' }, unit)),
    slider,
    about,
    problem,
  );
  slider.setAttribute('aria-describedby', about.id);
  back.setAttribute('aria-label', t.backOf(label, first));
  element.style.setProperty('--initial', String(scale.track(initial)));
  let shown = NaN;
  let typing = false; // the person types a value, which must not be overwritten
  let refused: { text: string; isSo: () => boolean } | null = null; // the value that the server refused

  function show(value: number): void {
    shown = tidy(value);
    const track = scale.track(shown);
    slider.value = String(track);
    slider.setAttribute('aria-valuetext', `${exact(shown)} ${unit}`);
    element.style.setProperty('--value', String(track));
    if (!typing) field.value = exact(shown);
    back.classList.toggle('needless', shown === initial);
    back.disabled = shown === initial;
  }

  function change(value: number): void {
    typing = false;
    clearProblem();
    actions.change(name, value);
  }

  function commit(): void {
    const text = field.value.normalize('NFKC').trim(); // an input method types digits of full width
    const value = Number(text.replace(',', '.'));
    if (text === '' || !Number.isFinite(value) || value < min || value > max) {
      showProblem(t.notNumber(label, least, most, text));
      return;
    }
    typing = false;
    if (value !== shown) change(value);
    else clearProblem();
    show(shown);
  }

  /** Shows why a value is wrong. The value stays in the field. */
  function showProblem(message: string): void {
    refused = null;
    setText(problem, message);
    problem.hidden = false;
    field.setAttribute('aria-invalid', 'true');
  }

  function clearProblem(): void {
    refused = null;
    problem.hidden = true;
    field.removeAttribute('aria-invalid');
  }

  /** Moves the value as the arrow keys on the slider do. */
  function nudge(step: number): void {
    typing = false;
    change(scale.value(clamp(scale.track(shown) + step, 0, 1)));
  }

  slider.addEventListener('pointerdown', () => {
    actions.grab(name);
    const release = (): void => {
      removeEventListener('pointerup', release);
      removeEventListener('pointercancel', release);
      actions.release(name);
    };
    addEventListener('pointerup', release);
    addEventListener('pointercancel', release);
  });
  slider.addEventListener('input', () => change(scale.value(slider.valueAsNumber)));
  slider.addEventListener('dblclick', () => change(initial));
  back.addEventListener('click', () => {
    slider.focus(); // change() disables the button
    change(initial);
  });
  const keys: Record<string, () => void> = {
    ArrowUp: () => nudge(TRACK_STEP),
    ArrowDown: () => nudge(-TRACK_STEP),
    Enter: () => {
      commit();
      field.select();
    },
    Escape: () => {
      typing = false;
      clearProblem();
      show(shown);
      slider.focus();
    },
  };
  field.addEventListener('focus', () => field.select());
  field.addEventListener('input', () => (typing = true));
  field.addEventListener('change', () => {
    if (field.value !== refused?.text) commit(); // leaving the field does not send a refused value again
  });
  field.addEventListener('keydown', (event) => {
    const run = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (run === undefined || (event.key === 'Escape' && !typing)) return;
    event.preventDefault();
    event.stopPropagation(); // Escape undoes the typing before it closes anything
    run();
  });

  return {
    element,
    show,
    refuse(message, value, isSo) {
      typing = true;
      field.value = String(tidy(value));
      showProblem(message);
      refused = { text: field.value, isSo };
    },
    review() {
      if (refused === null || refused.isSo()) return;
      if (field.value === refused.text) typing = false; // otherwise the person types another value
      clearProblem();
      show(shown);
    },
  };
}
