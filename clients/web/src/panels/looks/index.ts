// The look of this person's screen: what boids' colours say, their shape, and the theme.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { byId, make, setText } from '../../app/dom';
import { sayRefusal } from '../../app/errors';
import { LAYER_NAMES, isLayerShown, showLayer } from '../../app/shown-layers';
import type { ThemeName } from '../../app/theme';
import { ALL_COLORINGS, SHAPES, type Shape } from '../../draw/look';
import { paletteOf } from '../../draw/palette';
import { type Color, type Scene, THEMES, css } from '../../draw/scene';
import { paintShape, shaded } from '../../draw/shapes';
import { FREE, control, looksImposed } from '../../flock/room';
import { request } from '../../net/protocol';
import { createFilm, filmForm } from './film';
import { looksTexts } from './texts';

export { default as sheet } from './index.css';
export { default as html } from './index.html';

const PICTURE = 52; // pixels of a shape's picture
const SIZE = 36; // pixels of the boid on it

type Needs = Pick<Context, 'looks' | 'theme' | 'tint' | 'dock' | 'model' | 'layers' | 'settings' | 'ask' | 'say'>;

export function mount({ looks, theme: themes, tint: leaders, dock, model, layers, settings, ask, say }: Needs): Panel {
  const t = looksTexts();
  const [bar, shown, meaning] = byId('looks-key', HTMLElement).children as unknown as HTMLElement[];
  const hidden = byId('looks-hidden', HTMLElement);
  const pictures: { pen: CanvasRenderingContext2D; shape: Shape | null }[] = [];
  let painted = ''; // the scene that the panel shows

  setText(byId('looks-title', HTMLElement), t.title);
  setText(byId('looks-about', HTMLElement), t.about);
  setText(byId('looks-coloring-title', HTMLElement), t.coloring);
  setText(byId('looks-shape-title', HTMLElement), t.shape);
  setText(byId('looks-layers-title', HTMLElement), t.over);
  setText(byId('looks-theme-title', HTMLElement), t.theme);
  setText(byId('looks-save-title', HTMLElement), t.save);
  setText(hidden, t.hidden);

  /** Offers the names, and before them null: no choice. Returns a function that marks the choice. */
  function offer<Name extends string>(
    part: string,
    names: readonly Name[],
    textOf: (name: Name | null) => string,
    choose: (name: Name | null) => void,
    pictureOf: (name: Name | null) => readonly HTMLElement[] = () => [],
  ): (chosen: Name | null) => void {
    const inputs = [null, ...names].map((name) => {
      const input = make('input', { type: 'radio', name: `looks-${part}`, value: name ?? '' });
      input.addEventListener('change', () => choose(name));
      byId(`looks-${part}`, HTMLElement).append(make('label', {}, input, make('span', {}, textOf(name)), ...pictureOf(name)));
      return input;
    });
    return (chosen) => inputs.forEach((input) => (input.checked = input.value === (chosen ?? '')));
  }

  function picture(shape: Shape | null): HTMLCanvasElement {
    const canvas = make('canvas', { width: String(PICTURE), height: String(PICTURE), 'aria-hidden': 'true' });
    const pen = canvas.getContext('2d');
    if (pen !== null) pictures.push({ pen, shape });
    return canvas;
  }

  /** Paints a boid that heads to the upper right. */
  function paint(pen: CanvasRenderingContext2D, shape: Shape, color: Color): void {
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, PICTURE, PICTURE);
    const [cos, sin] = shape === 'ball' ? [0.6, 0.8] : [Math.SQRT1_2, -Math.SQRT1_2];
    pen.setTransform(cos, sin, -sin, cos, PICTURE / 2, PICTURE / 2);
    if (shape !== 'blur') return paintShape(pen, shape, SIZE, 0, (shade) => css(shaded(color, shade)));
    const light = pen.createRadialGradient(0, 0, 2, 0, 0, SIZE / 2);
    light.addColorStop(0, css(color));
    light.addColorStop(1, css(color, 0));
    pen.fillStyle = light;
    pen.fillRect(-SIZE / 2, -SIZE / 2, SIZE, SIZE);
  }

  /** Shows the colours that the flock has now. */
  function show(scene: Scene): void {
    const { theme, shape, coloring, tint } = scene;
    const chosen = looks.chosen();
    const own = looks.drawn(model.room()).shape;
    const palette = paletteOf({ theme, shape, coloring, tint: null });
    const hides = chosen.coloring !== null && leaders.of(theme) !== null;
    const next = [theme, themes.chosen(), own, shape, coloring, chosen.coloring, chosen.shape, tint === null, hides].join();
    if (next === painted) return;
    painted = next;
    markColoring(chosen.coloring);
    markShape(chosen.shape);
    markTheme(themes.chosen());
    const says = chosen.coloring === 'clusters' ? 'clusters' : tint === null ? coloring : 'leader';
    setText(shown, t.colorings[says]);
    setText(meaning, t.key[says]);
    hidden.hidden = !hides;
    const stops = coloring === 'heading' ? [...palette, palette[0]] : palette;
    bar.style.background = tint === null ? `linear-gradient(to right, ${stops.map((color) => css(color)).join()})` : 'none';
    for (const { pen, shape: each } of pictures) paint(pen, each ?? own, palette[28]);
  }

  const markColoring = offer(
    'coloring',
    ALL_COLORINGS,
    (name) => (name === null ? t.byPresetAndMode : t.colorings[name]),
    (coloring) => looks.choose({ ...looks.chosen(), coloring }),
  );
  const markShape = offer(
    'shape',
    SHAPES,
    (name) => (name === null ? t.byPreset : t.shapes[name]),
    (shape) => looks.choose({ ...looks.chosen(), shape }),
    (name) => [picture(name)],
  );
  const markTheme = offer<ThemeName>('theme', THEMES, (name) => (name === null ? t.bySystem : t.themes[name]), themes.choose);
  const boxes = LAYER_NAMES.map((name) => {
    const input = make('input', { type: 'checkbox' });
    input.checked = isLayerShown(settings, name);
    input.addEventListener('change', () => showLayer(layers, settings, name, input.checked));
    byId('looks-layers', HTMLElement).append(make('label', {}, input, make('span', {}, t.layers[name])));
    return input;
  });
  dock.open('layers'); // loads them

  /** Sets what everyone sees. */
  function setForAll(values: Readonly<Record<string, string>>): void {
    const room = model.room();
    for (const [name, value] of Object.entries(values)) {
      if (room === null || control(room, name)?.value === value) continue;
      ask(request.set(name, value), sayRefusal(say));
    }
  }

  const forAll = make('button', { type: 'button' }, t.forAll);
  const free = make('button', { type: 'button' }, t.free);
  byId('looks-all', HTMLElement).append(forAll, ' ', free);
  forAll.addEventListener('click', () => {
    setForAll({ layers: LAYER_NAMES.filter(layers.wants).join('+') || 'none', coloring: looks.chosen().coloring ?? FREE });
  });
  free.addEventListener('click', () => setForAll({ layers: FREE, coloring: FREE }));

  /** Shows the layers that are on, also by a presenter's choice. */
  function showLayers(): void {
    const room = model.room();
    if (looks.clusters !== null) LAYER_NAMES.forEach((name, index) => (boxes[index].checked = layers.wants(name))); // they are loaded
    byId('looks-all', HTMLElement).hidden = model.role() !== 'presenter' || room === null || control(room, 'layers') === undefined;
    free.hidden = room === null || !looksImposed(room);
  }

  const form = filmForm();
  const film = createFilm(byId('stage', HTMLElement), () => `flock-${model.room()?.code}`, form);
  const pictureButton = make('button', { type: 'button' }, t.picture);
  const filmButton = make('button', { type: 'button' }, t.film);
  pictureButton.addEventListener('click', film.picture);
  filmButton.addEventListener('click', film.toggle);
  filmButton.hidden = form === null;
  byId('looks-save', HTMLElement).append(pictureButton, ' ', filmButton);

  function follow(): void {
    film.frame();
    const left = film.left();
    setText(filmButton, left === null ? t.film : t.filming(left));
  }

  byId('looks-close', HTMLButtonElement).addEventListener('click', () => dock.toggle('looks'));

  return {
    frame(scene) {
      follow();
      if (!dock.isOpen('looks')) return;
      show(scene);
      showLayers();
    },
  };
}
