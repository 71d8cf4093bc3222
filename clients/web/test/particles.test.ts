// Korean particles, which depend on the last sound of a word or digit, and Korean and Japanese honorifics.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { object, subject, toward } from '../src/texts/particles';
import { ja } from '../src/texts/ja';
import { ko } from '../src/texts/ko';

test('a particle fits the last sound of its word', () => {
  assert.deepEqual(['정어리', '양 떼', '군중', '찌르레기'].map(object), ['를', '를', '을', '를']);
  assert.deepEqual(['학교', '집', '교실'].map(toward), ['로', '으로', '로'], 'after ㄹ as after a vowel');
  assert.deepEqual(['민준 님', '누군가', '프로그램', '나'].map(subject), ['민준 님이', '누군가가', '프로그램이', '내가']);
});

test('digits are read in Korean', () => {
  assert.deepEqual([...'0123456789'].map(object), ['을', '을', '를', '을', '를', '를', '을', '을', '을', '를']);
  assert.deepEqual(['0.05', '2.2', '-1', '30'].map(toward), ['로', '로', '로', '으로']);
});

test('words in other letters get both forms, and signs at the end are ignored', () => {
  assert.equal(object('Class 7b'), '을(를)');
  assert.equal(subject('Mia'), 'Mia이(가)');
  assert.equal(object('2반용!'), '을');
  assert.equal(object(''), '을(를)');
});

test('a name with an honorific gets no second one', () => {
  assert.deepEqual(['민준', '김 선생님', '지우 쌤'].map(ko.news.person), ['민준 님', '김 선생님', '지우 쌤']);
  assert.deepEqual(['ゆうき', '佐藤先生', '健太くん'].map(ja.news.person), ['ゆうき さん', '佐藤先生', '健太くん']);
});

test('a change by a person becomes a sentence', () => {
  assert.equal(ko.news.preset(ko.news.person('민준'), '정어리'), '민준 님이 프리셋 ‘정어리’를 골랐습니다');
  assert.equal(ko.news.pausedBy(ko.news.you), '내가 무리를 일시정지했습니다');
  assert.equal(ko.panel.back('30'), '30으로 되돌리기');
});
