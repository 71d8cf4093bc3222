// The texts of refusals are in the page's language. The page chooses them by the code and the request, not by the server's sentence.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Request, request } from '../src/net/protocol';
import { useLanguage } from '../src/texts/texts';
import { errorText } from '../src/app/errors';

const refused = (code: string, [type]: Request, { field = '', name = '', after = 0 } = {}): string =>
  errorText({ kind: 'error', code, type, tag: 1, field, name, message: 'in the server’s words', fatal: false, after });

test('refusals in the past have the page’s texts', async () => {
  const changes = [request.set('model', 'boids'), request.param('speed', 1), request.step(), request.undo(), request.save('ours')];
  for (const change of changes) assert.match(refused('state', change, { field: 'past' }), /^The room shows its past\./);
  assert.match(refused('state', request.step()), /^Pause the flock first/);
  assert.match(refused('state', request.undo()), /^There is nothing to undo/);
  await useLanguage('ja');
  for (const asked of [request.rewind(1), request.play(1), request.resume()]) assert.match(refused('state', asked), /^[^a-z]+$/);
  await useLanguage('ko');
  for (const asked of [request.rewind(1), request.play(1), request.resume()]) assert.match(refused('state', asked), /^[^a-z]+$/);
  await useLanguage('en');
});

test('a refusal names the seconds to wait', async () => {
  assert.match(refused('flood', request.key('wrong'), { after: 42 }), / in 42 s\.$/);
  assert.match(refused('state', request.name('Ada'), { field: 'name', after: 2 }), / in 2 s\.$/);
  await useLanguage('ko');
  assert.match(refused('flood', request.key('wrong'), { after: 42 }), /42초/);
  await useLanguage('en');
});

test('presets have errors of their own; an unknown error shows the server’s text', () => {
  assert.match(refused('range', request.save('bees'), { field: 'name' }), /^Choose another name/);
  assert.match(refused('full', request.save('ours')), /cannot save more presets/);
  assert.match(refused('range', request.forget('ours'), { field: 'name' }), /no longer exists/);
  assert.match(refused('range', request.set('preset', 'ours'), { field: 'value', name: 'preset' }), /no longer exists/);
  assert.equal(refused('strange', request.reset()), 'in the server’s words');
});
