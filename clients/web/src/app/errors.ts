// The texts of refusals. The page chooses them by code and request, because the server's sentence is in English. For an unknown code
// it shows the server's sentence.

import { HELLO, type ServerError, request } from '../net/protocol';
import type { Answered } from '../net/requests';
import { texts } from '../texts/texts';

const NAME = request.name('')[0];
const KEY = request.key('')[0];
const PARAM = request.param('', 0)[0];
const SET = request.set('', '')[0];
const ADD = request.add(0, 0, 0)[0];
const RESET = request.reset()[0];
const STEP = request.step()[0];
const TITLE = request.title('')[0];
const EXPEL = request.expel(0)[0];
const APPOINT = request.appoint(0, 'viewer')[0];
const UNDO = request.undo()[0];
const SAVE = request.save('')[0];
const FORGET = request.forget('')[0];
const REWIND = request.rewind(0)[0];
const PLAY = request.play(0)[0];
const RESUME = request.resume()[0];

type Known = Exclude<keyof typeof texts.errors, 'paramRange'>;

const PAST = 'past'; // the field of a refusal because the room shows its past

/** Texts by code, type and name of the control; by code and type; and by code for all other requests. */
const KNOWN: Readonly<Record<string, Known>> = {
  role: 'role',
  key: 'key',
  flood: 'flood',
  [`flood ${KEY}`]: 'keys',
  [`flood ${HELLO}`]: 'keys', // a hello with a key
  [`join ${HELLO}`]: 'turn',
  [`range ${NAME}`]: 'name',
  [`state ${NAME}`]: 'nameSoon',
  [`range ${TITLE}`]: 'title',
  [`range ${PARAM}`]: 'range',
  [`range ${SET}`]: 'range',
  [`range ${SET} preset`]: 'presetGone',
  [`range ${SAVE}`]: 'presetName',
  [`full ${SAVE}`]: 'presets',
  [`range ${FORGET}`]: 'presetGone',
  [`range ${ADD}`]: 'range',
  [`state ${REWIND}`]: 'noPast',
  [`state ${PLAY}`]: 'present',
  [`state ${RESUME}`]: 'pastSoon',
  [`full ${RESUME}`]: 'boids',
  [`range ${EXPEL}`]: 'personGone',
  [`range ${APPOINT}`]: 'personGone',
  [`state ${STEP}`]: 'running',
  [`full ${STEP}`]: 'steps',
  [`full ${SET} update`]: 'sequential',
  [`state ${UNDO}`]: 'nothing',
  [`full ${ADD}`]: 'boids',
  [`full ${RESET}`]: 'boids',
  full: 'cost',
};

/** Returns a callback that shows why the server refused a request. A successful request shows no text, and the status shows a lost
 * connection. */
export const sayRefusal =
  (say: (text: string) => void): Answered =>
  (outcome) =>
    outcome.kind === 'error' && say(errorText(outcome));

export function errorText({ code, type, field, name, message, after }: ServerError): string {
  if (code === 'state' && field === PAST) return texts.errors.past;
  const known = KNOWN[`${code} ${type} ${name}`] ?? KNOWN[`${code} ${type}`] ?? (Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined);
  if (known === undefined) return message;
  const text = texts.errors[known];
  return typeof text === 'string' ? text : text(after);
}
