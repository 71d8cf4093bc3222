// A refused sweep says why in the page's language.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room } from '../../../test/samples';
import { type ServerError, request } from '../../net/protocol';
import { LANGUAGES, type Language, useLanguage } from '../../texts/texts';
import { sweepRefusal } from './refused';

const SERVER = 'in the server’s words';
const [SWEEP] = request.sweep('max_speed', 0, 200, 11, 3, 8);
const param = (name: string, value: number) => ({ name, unit: '', min: 0, max: 100, initial: value, value, text: '' });
const { params } = room({ params: [param('min_speed', 1.5), param('max_speed', 3)] });
const refused = (code: string, field: string, name = 'max_speed'): ServerError => ({
  ...{ kind: 'error', code, type: SWEEP, tag: 1, field, name, message: SERVER, fatal: false, after: 0 },
});

/** Everything for which the server refuses a sweep. */
const REASONS: Readonly<Record<string, ServerError>> = {
  'another sweep runs': refused('state', ''),
  'the room shows its past': refused('state', 'past'),
  'the person is a viewer': refused('role', ''),
  'it is too much work': refused('full', 'value'),
  'there are too many requests': refused('flood', ''),
  'the model has no such parameter': refused('range', 'name', 'noise'),
  'a value is out of range': refused('range', 'to'),
};

test('a refused sweep says why in each language', async () => {
  const said = new Map<string, string>();
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    assert.ok(await useLanguage(language));
    for (const [reason, error] of Object.entries(REASONS)) {
      const text = sweepRefusal(error, params);
      assert.ok(text !== '' && text !== SERVER, `${language}: ${reason}`);
      assert.ok(!said.has(text), `${language}: ${reason}: ${text} is also said for ${said.get(text)}`);
      said.set(text, `${language}: ${reason}`);
    }
  }
  await useLanguage('en');
});

test('a value out of range is told the range, which ends with the other parameter of a pair', () => {
  assert.match(sweepRefusal(refused('range', 'to'), params), /^maximum speed: .* 1\.5 to 100$/);
  assert.match(sweepRefusal(refused('range', 'to', 'min_speed'), params), /^minimum speed: .* 0 to 3$/);
});
