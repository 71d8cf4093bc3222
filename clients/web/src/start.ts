// The start page: joins a room by its code, creates a room, and lists rooms.

import { choiceText, modelName, presetName } from './texts/names';
import { createTheme } from './app/theme';
import { texts } from './texts/texts';
import { byId, make, setText } from './app/dom';
import { drawCursors } from './app/hero';
import { offerLanguages, startLanguage } from './app/language';
import { keepRoom, keepsRooms, myRooms } from './app/mine';
import { fileRefusalText, refusalText } from './app/refusals';
import { cleanName } from './flock/names';
import { INVITE, LOBBY, isCode, roomCode, roomPath, spacedCode } from './net/codes';
import { type Listing, type Preset, type RoomSummary, createRoomsApi } from './net/rooms-api';
import { settingsIn, setupFields } from './net/setup';
import { setupText } from './texts/setup';

const REFRESH = 5000; // ms between two looks at the rooms
const HERO = 'murmuration'; // the preset of the large picture
/** The presets to offer first, in this order. Presets that the page does not know follow. */
const BEST = ['murmuration', 'sardines', 'bees', 'sheep', 'march', 'crowd', 'billiards'];
/** The program with the rules and most numbers of `cpp-boids`: docs/flocks.md compares them. */
const FLOCKING =
  'https://github.com/nature-of-code/noc-examples-processing/tree/4195df9d5774df4790b1d9d87cad934a82a59b50/chp06_agents/NOC_6_09_Flocking';

const theme = createTheme();
await startLanguage();
offerLanguages();
byId('theme', HTMLButtonElement).addEventListener('click', theme.next);
const JOIN_KEY = /^[a-z0-9-]{4,64}$/; // of a new room
const api = createRoomsApi((url, init) => fetch(url, init));
const root = new URL('.', location.href).href;
const joining = byId('join', HTMLFormElement);
const code = byId('code', HTMLInputElement);
const joinProblem = byId('join-problem', HTMLElement);
const rooms = byId('rooms', HTMLUListElement);
const roomsProblem = byId('rooms-problem', HTMLElement);
const section = byId('create-section', HTMLElement);
const creating = byId('create', HTMLFormElement);
const title = byId('title', HTMLInputElement);
const presets = byId('presets', HTMLFieldSetElement);
const listed = byId('listed', HTMLInputElement);
const recording = byId('recording', HTMLInputElement);
const recordingField = byId('recording-field', HTMLElement);
const joinKey = byId('join-key', HTMLInputElement);
const more = byId('create-more', HTMLDetailsElement);
const keyField = byId('key-field', HTMLElement);
const key = byId('key', HTMLInputElement);
const createProblem = byId('create-problem', HTMLElement);
const heroPicture = byId('hero-picture', HTMLCanvasElement);
const plays = make('input', { type: 'radio', name: 'preset', value: '.flock' }); // which is no preset's name
const recordings = make(
  'label',
  { class: 'preset' },
  plays,
  make('span', {}, make('b', {}, texts.start.recording), make('span', {}, texts.start.recordingAbout)),
);
/** The settings of a link from another flockd; null: there are none. */
const query = new URLSearchParams(location.search);
const settings = setupFields(query);
let shownRooms = '';
let shownPresets = '';

async function join(): Promise<void> {
  const wanted = roomCode(code.value);
  if (wanted === '') {
    setText(joinProblem, code.value.trim() === '' ? texts.start.whichRoom : texts.start.noCode);
    code.focus();
    return;
  }
  setText(joinProblem, '');
  const answer = await api.find(wanted);
  if (answer.ok) {
    location.assign(roomPath(answer.value.code));
    return;
  }
  const { status } = answer.refusal;
  if (status !== 404 && status !== 400) setText(joinProblem, refusalText(answer.refusal));
  else if (!isCode(wanted)) setText(joinProblem, texts.start.noCode);
  else setText(joinProblem, texts.start.noRoom(spacedCode(wanted)));
  code.select();
}

async function create(): Promise<void> {
  const button = creating.querySelector('button') as HTMLButtonElement;
  const preset = presets.querySelector<HTMLInputElement>('input:checked')?.value ?? '';
  setText(createProblem, '');
  if (!keyField.hidden && key.value.trim() === '') {
    setText(createProblem, texts.start.keyNeeded);
    key.focus();
    return;
  }
  if (plays.checked && recording.files?.length !== 1) {
    setText(createProblem, texts.start.recordingNeeded);
    recording.focus();
    return;
  }
  const join = joinKey.value.trim().toLowerCase();
  if (join !== '' && !JOIN_KEY.test(join)) {
    setText(createProblem, texts.start.noJoinKey);
    more.open = true;
    joinKey.focus();
    return;
  }
  button.disabled = true;
  const wanted = { title: cleanName(title.value), listed: listed.checked, joinKey: join };
  const server = keyField.hidden ? '' : key.value.trim();
  const file = plays.checked ? recording.files?.[0] : undefined;
  if (file !== undefined) setText(button, texts.start.sending);
  const answer = await (file === undefined
    ? api.create({ ...wanted, preset, ...(settings !== null && { settings }) }, server)
    : api.open(file, wanted, server));
  button.disabled = false;
  setText(button, texts.start.createIt);
  if (answer.ok) keepRoom(new URL(roomPath(answer.value.code), root).href, answer.value.key, wanted.title);
  if (answer.ok)
    location.assign(
      `${roomPath(answer.value.code)}#key=${answer.value.key}${file === undefined ? `&${INVITE}` : ''}${join === '' ? '' : `&join=${join}`}`,
    );
  else setText(createProblem, file === undefined ? refusalText(answer.refusal) : fileRefusalText(answer.refusal));
}

async function refresh(): Promise<void> {
  if (document.hidden) return;
  const answer = await api.list();
  roomsProblem.hidden = answer.ok;
  if (answer.ok) show(answer.value);
  else setText(roomsProblem, refusalText(answer.refusal));
}

function show({ rooms: all, create: may, presets: choices }: Listing): void {
  // Only what has changed is made again: a link keeps its focus.
  const [nextRooms, nextPresets] = [JSON.stringify(all), JSON.stringify(choices)];
  if (nextRooms !== shownRooms) showRooms(all);
  if (nextPresets !== shownPresets) showPresets(choices);
  [shownRooms, shownPresets] = [nextRooms, nextPresets];
  if (section.hidden && settings !== null) setTimeout(() => section.scrollIntoView());
  section.hidden = may === 'off';
  keyField.hidden = may !== 'presenter';
}

function showRooms(all: readonly RoomSummary[]): void {
  const focused = rooms.contains(document.activeElement) ? document.activeElement?.getAttribute('href') : null;
  rooms.replaceChildren(
    ...all.map(({ code: of, title: called, model, preset, people, boids, locked }) => {
      const name = called !== '' ? called : of === LOBBY ? texts.common.lobby : spacedCode(of);
      const what = texts.start.flock(preset === '' ? modelName(model) : presetName(preset), boids);
      const who = people === 0 ? texts.start.nobody : texts.common.people(people);
      const link = make('a', { href: roomPath(of) }, make('bdi', {}, name), make('span', {}, what), make('span', {}, who));
      if (locked) link.append(make('span', {}, texts.start.locked));
      return make('li', {}, link);
    }),
  );
  if (focused) rooms.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus();
}

/** The place of a preset among the offered ones: the best, unknown ones, originals. */
const rank = ({ name }: Preset): number => (isOriginal(name) ? BEST.length + 1 : BEST.includes(name) ? BEST.indexOf(name) : BEST.length);

function isOriginal(name: string): name is keyof typeof texts.start.originals {
  return Object.hasOwn(texts.start.originals, name);
}

function cardOf({ name, text }: Preset, checked: boolean): HTMLElement {
  const choice = make('input', { type: 'radio', name: 'preset', value: name });
  choice.checked = checked;
  const called = isOriginal(name) ? texts.start.originals[name] : presetName(name);
  const words = make('span', { 'data-preset': name }, make('b', {}, called), make('span', {}, choiceText('preset', name, text)));
  return make('label', { class: 'preset' }, choice, words);
}

/** Tells what is known of the originals' sources. */
function originalsAbout(): HTMLElement {
  const [before, name, after] = texts.start.originalsAbout.split('`');
  return make(
    'p',
    { class: 'about' },
    before,
    make('a', { href: FLOCKING, target: '_blank', rel: 'noreferrer', translate: 'no' }, name),
    after,
  );
}

function showPresets(choices: readonly Preset[]): void {
  const sorted = [...choices].sort((a, b) => rank(a) - rank(b));
  const checked = presets.querySelector<HTMLInputElement>('input:checked')?.value ?? sorted[0]?.name;
  const cards = (of: readonly Preset[]): HTMLElement =>
    make('div', { class: 'cards' }, ...of.map((preset) => cardOf(preset, preset.name === checked)));
  const [own, originals] = [sorted.filter(({ name }) => !isOriginal(name)), sorted.filter(({ name }) => isOriginal(name))];
  for (const old of presets.querySelectorAll('.cards, h3, .about')) old.remove();
  presets.append(cards(own), make('h3', {}, texts.start.originalsTitle), originalsAbout(), cards(originals));
  presets.lastElementChild?.append(recordings);
  presets.hidden = choices.length === 0 || settings !== null;
  void movePictures();
}

/** Puts a moving picture into each card and into the hero. Without the pictures the words remain. */
async function movePictures(): Promise<void> {
  const { play, mark } = await import('./app/miniatures').catch(() => ({ play: null, mark: null }));
  if (play === null) return;
  mark((canvas) => (canvas === heroPicture ? drawCursors : null));
  play(heroPicture, HERO);
  for (const words of presets.querySelectorAll<HTMLElement>('[data-preset]')) {
    const canvas = make('canvas', { role: 'img', 'aria-label': texts.start.picture });
    if (words.querySelector('canvas') === null && play(canvas, words.dataset['preset'] ?? '')) words.prepend(canvas);
  }
}

if (settings !== null) {
  const link = byId('create-link', HTMLElement);
  const shown = settingsIn(query).map((each) => each.join(' '));
  setText(link, setupText(shown.join(', ')));
  link.hidden = false;
}
presets.addEventListener('change', () => (recordingField.hidden = !plays.checked));
joining.addEventListener('submit', (event) => {
  event.preventDefault();
  void join();
});
creating.addEventListener('submit', (event) => {
  event.preventDefault();
  void create();
});
code.addEventListener('input', () => setText(joinProblem, ''));
creating.addEventListener('input', () => setText(createProblem, ''));
document.addEventListener('visibilitychange', () => void refresh());
// Back from a room: the browser shows the old page again, without the rooms that were made since then.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
setInterval(() => void refresh(), REFRESH);
void refresh();
if (myRooms(root).length > 0 || !keepsRooms()) void import('./app/my-rooms').then((part) => part.showMyRooms(root, api)).catch(() => {});
