// The choice of the page's language.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offerLanguages } from '../src/app/language';
import { createPage, find, fire, set } from './document';

test('in one of two rooms beside each other, a choice reloads both', () => {
  const page = createPage('<select id="language"></select>');
  set('HTMLSelectElement', page.HTMLSelectElement);
  set('localStorage', page.localStorage);
  const done: string[] = [];
  const top = {
    location: { href: 'http://localhost:8390/r/FK72MX?beside=KL4WXY&lang=en', reload: () => done.push('reload') },
    history: { state: null, replaceState: (_: unknown, __: string, to: URL) => done.push(to.href) },
  };
  set('window', { top });
  offerLanguages();
  const choice = find<HTMLSelectElement>(document, '#language');
  choice.value = 'ko';
  fire(choice, 'change');
  assert.deepEqual(done, ['http://localhost:8390/r/FK72MX?beside=KL4WXY', 'reload']);
  assert.equal(page.localStorage.getItem('flock.language'), 'ko');
});
