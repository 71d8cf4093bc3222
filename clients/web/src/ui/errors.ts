// What the server refused, for people: by what it was, not by the server's sentence, which is in English. What this page
// does not know is said in the server's words.

import { type ServerError, request } from '../net/protocol';
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

type Known = Exclude<keyof typeof texts.errors, 'paramRange'>;

/** By code, type of the request and what it named; by code and type; and by code for all other requests. */
const KNOWN: Readonly<Record<string, Known>> = {
  role: 'role',
  key: 'key',
  flood: 'flood',
  [`flood ${KEY}`]: 'keys',
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

export function errorText({ code, type, name, message }: ServerError): string {
  const known = KNOWN[`${code} ${type} ${name}`] ?? KNOWN[`${code} ${type}`] ?? (Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined);
  return known === undefined ? message : texts.errors[known];
}
