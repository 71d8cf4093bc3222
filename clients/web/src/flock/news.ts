// Events of a room, in words.

import type { Room, RoomEvent } from '../net/protocol';
import { choiceName, choiceText, controlName, paramName, presetName } from '../texts/names';
import { exact, texts } from '../texts/texts';
import { OF_LOOKS, PAUSE, PRESET, control } from './room';

export interface News {
  title: string;
  text: string;
}

function meaning(room: Room, name: string, value: string): string {
  const found = control(room, name)?.choices.find((choice) => choice.value === value);
  return found?.saved === true ? texts.news.ownPreset : choiceText(name, value, found?.text ?? '');
}

const only = (title: string): News => ({ title, text: '' });

/** A value's name, old value and new value. */
function change({ from, to }: RoomEvent, name: string, say: (value: string) => string): string {
  const { news } = texts;
  return from === '' || from === to ? news.set(name, say(to)) : news.change(name, say(from), to === '' ? news.none : say(to));
}

const setChange = (event: RoomEvent, what: string): string =>
  OF_LOOKS.includes(what) ? controlName(what) : change(event, controlName(what), (value) => choiceName(what, value));

const paramChange = (event: RoomEvent, what: string): string => change(event, paramName(what), (value) => exact(Number(value)));

/** A person set a control. */
function setNews(event: RoomEvent, who: string, room: Room): News {
  const { news } = texts;
  const { what, to } = event;
  if (what === PAUSE) return only(to === 'paused' ? news.pausedBy(who) : news.runBy(who));
  const text = OF_LOOKS.includes(what) ? '' : meaning(room, what, to);
  if (what === PRESET) return { title: news.preset(who, presetName(to)), text };
  return { title: news.by(who, setChange(event, what)), text };
}

/** A person changed one or more parameters. */
function paramNews(event: RoomEvent, who: string): News {
  const { news } = texts;
  return only(event.what === '' ? news.params(who, Number(event.to)) : news.by(who, paramChange(event, event.what)));
}

const isThing = (name: string): name is keyof typeof texts.news.things => Object.hasOwn(texts.news.things, name);

/** A person undid a change. */
function undoNews(event: RoomEvent, who: string): string {
  const { news } = texts;
  const [name, what] = event.what.split(' ');
  if (name === 'set') return news.undo(who, setChange(event, what ?? ''));
  if (isThing(name)) return news.undoThing(who);
  if (name === 'param') return what === undefined ? news.undoParams(who, Number(event.to)) : news.undo(who, paramChange(event, what));
  return name === 'reset' ? news.undoReset(who) : news.undoBoids(who, Number(event.to));
}

/** A person added or removed boids. */
function boidsNews({ from, to }: RoomEvent, who: string): News {
  const more = Number(to) - Number(from);
  return only(more < 0 ? texts.news.removed(who, -more) : texts.news.added(who, more));
}

function doer({ by, who }: RoomEvent, own: boolean): string {
  const { news } = texts;
  if (own) return news.you;
  return by === 0 ? news.program : who === '' ? news.somebody : news.person(who);
}

/** Returns the text of an event. own: this person caused it. Returns null for an unknown event, and for an own event whose
 * effect is visible. */
export function eventNews(event: RoomEvent, room: Room, own: boolean): News | null {
  const { news } = texts;
  const who = doer(event, own);
  switch (event.name) {
    case 'set':
      return setNews(event, who, room);
    case 'param':
      return own ? null : paramNews(event, who);
    case 'add':
    case 'remove':
      return own ? null : boidsNews(event, who);
    case 'reset':
      return only(news.reset(who));
    case 'undo':
      return only(undoNews(event, who));
    case 'undo-settings':
      return { title: undoNews(event, who), text: news.boidsStay };
    case 'save':
      return only(news.presetSaved(who, event.to));
    case 'forget':
      return only(news.presetRemoved(who, event.from));
    case 'rename':
      return only(news.renamed(who, event.from, event.to));
    case 'attention':
      return own || event.to !== 'on' ? null : only(news.attention(who));
    case 'spotlight':
      return only(event.to === '' ? news.spotlightOff(who) : news.spotlight(who, event.to));
    case 'title':
      return only(news.title(who, event.to));
    case 'abandoned':
      return { title: news.abandoned, text: news.abandonedMore(event.to) };
    case 'past-failed':
      return { title: news.pastFailed, text: event.to === 'present' ? news.presentAgain : news.beginningAgain };
    default:
      return isThing(event.name) && !own ? only(news.things[event.name](who)) : null;
  }
}

/** Another server of the cluster continues the room. It has the flock, and neither the past nor the changes to undo. */
export const movedNews = (): News => ({ title: texts.news.moved, text: texts.news.movedMore });

/** The share of the room's ticks that the server drops, because of the room's flock or because of other load. */
export interface Slowness {
  percent: number;
  own: boolean;
}

/** Returns that share if the event is about dropped ticks, else null. */
export function slowness({ name, what, to }: RoomEvent): Slowness | null {
  const percent = Number.parseFloat(to);
  return name === 'slow' && percent > 0 ? { percent, own: what === '' } : null;
}
