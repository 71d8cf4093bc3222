// The recording of the room: a presenter downloads it or branches the room. The page then shows the room beside the branch.

import type { Model } from '../../flock/model';
import { cleanName } from '../../flock/names';
import { besideAddress } from '../../net/codes';
import { roomTitle } from '../../flock/room';
import type { Room } from '../../net/protocol';
import type { Answer, Created, Refusal, RoomsApi } from '../../net/rooms-api';
import { pastTexts } from '../../texts/past';
import { type Language, texts } from '../../texts/texts';
import { make, setText } from '../../app/dom';
import { goTo } from '../../app/go';
import { refusalText } from '../../app/refusals';
import { save } from '../../app/save';
import { keepKeyOf } from '../../app/settings';

export interface RecordingOptions {
  model: Pick<Model, 'room'>;
  key(): string; // the room's presenter key; empty: the page does not know it
  api: Pick<RoomsApi, 'recording' | 'branch'>;
  small?: true; // for the timeline: a sign in place of a word, and no choice about names
}

export function createRecording({ model, key, api, small }: RecordingOptions): HTMLElement {
  const t = pastTexts[texts.language as Language];
  /** A button, and what it does: below it, or in the timeline in a tooltip. */
  function described(name: string, text: string, about: string, sign = text): [HTMLButtonElement, HTMLElement] {
    const below = make('p', { id: `${name}-about`, class: 'about' }, about);
    const more = small ? { title: about, 'aria-label': text } : { 'aria-describedby': below.id };
    return [make('button', { type: 'button', class: name, ...more }, small ? sign : text), below];
  }

  const [download, downloadAbout] = described('download', t.download, t.downloadAbout, '⤓');
  const names = make('input', { type: 'checkbox' });
  const [branch, branchAbout] = described('branch', t.branch, t.branchAbout);
  const problem = make('p', { class: 'problem', role: 'alert', hidden: '' });

  function say(text: string): void {
    setText(problem, text);
    problem.hidden = text === '';
  }

  /** Runs a button's request. The button shows `doing` until the answer. state: the text if the room's state forbids the request. */
  async function run<T>(button: HTMLButtonElement, doing: string, state: string, ask: (room: Room) => Promise<Answer<T>>): Promise<T | null> {
    const room = model.room();
    if (room === null) return null;
    say('');
    if (key() === '') {
      say(t.noKey);
      return null;
    }
    const label = button.textContent ?? '';
    setText(button, doing);
    button.disabled = true;
    const answer = await ask(room);
    button.disabled = false;
    setText(button, label);
    if (answer.ok) return answer.value;
    say(refusalOf(answer.refusal, state));
    return null;
  }

  function refusalOf(refusal: Refusal, state: string): string {
    if (refusal.code === 'key') return t.wrongKey;
    if (refusal.code === 'role') return t.noRooms;
    return refusal.code === 'state' ? state : refusalText(refusal);
  }

  download.addEventListener('click', () => {
    const get = ({ code }: Room): Promise<Answer<Blob>> => api.recording(code, key(), names.checked);
    void run(download, t.downloading, t.noPast, get).then((file) => {
      const room = model.room();
      if (file !== null && room !== null) save(file, fileName(roomTitle(room), room.code, new Date()));
    });
  });
  branch.addEventListener('click', () => {
    const begin = (room: Room): Promise<Answer<Created>> => api.branch(room.code, cleanName(t.branchTitle(roomTitle(room))), key());
    void run(branch, t.branching, t.notYet, begin).then((made) => {
      const code = model.room()?.code;
      if (made === null || code === undefined) return;
      keepKeyOf(made.code, made.key, location.href);
      goTo(besideAddress(code, made.code, location.href));
    });
  });
  const all = small ? [branch, download] : [branch, branchAbout, download, make('label', {}, names, t.names), downloadAbout];
  return make('div', { class: 'recording' }, ...all, problem);
}

/** Returns the name of a recording's file: the room's title and the day, without the signs that systems forbid in names. code: of the
 * room, for a title that has only such signs. */
export function fileName(title: string, code: string, day: Date): string {
  const plain = title.replace(/[\\/:*?"<>|\p{C}\s]+/gu, ' ').replace(/^[\s.]+/, '').trim() || code;
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((each) => String(each).padStart(2, '0')).join('-');
  return `${plain} ${date}.flock`;
}
