// Korean particles, whose form depends on how the word before them sounds at its end.

const HANGUL = [0xac00, 0xd7a3]; // syllables, in groups of 28 by their last consonant: the first of each has none
const FINALS = 28;
const RIEUL = 8; // the last consonant ㄹ, among these
const DIGITS = ['ㅇ', 'ㄹ', '', 'ㅁ', '', '', 'ㄱ', 'ㄹ', 'ㄹ', '']; // the last consonant of each as it is read: 영, 일, 이 …

/** The consonant that ends the word, ㄱ for any but ㄹ in Hangul: empty if it ends in a vowel, null if that is not known, as of
 * Latin letters. */
function lastConsonant(word: string): string | null {
  const last = word.replace(/[^\p{L}\p{N}]+$/u, '').at(-1) ?? '';
  if (/[0-9]/.test(last)) return DIGITS[Number(last)];
  const code = last.charCodeAt(0);
  if (!(code >= HANGUL[0] && code <= HANGUL[1])) return null;
  const final = (code - HANGUL[0]) % FINALS;
  return final === 0 ? '' : final === RIEUL ? 'ㄹ' : 'ㄱ';
}

/** 을 or 를, after a word that something is done to; both where the word's end is not known. */
export function object(word: string): string {
  const last = lastConsonant(word);
  return last === null ? '을(를)' : last === '' ? '를' : '을';
}

/** 으로 or 로: to it, by it. */
export function toward(word: string): string {
  const last = lastConsonant(word);
  return last === null ? '(으)로' : last === '' || last === 'ㄹ' ? '로' : '으로';
}

/** Who does something: the word with 이 or 가; 나 becomes 내가. */
export function subject(word: string): string {
  if (word === '나') return '내가';
  const last = lastConsonant(word);
  return `${word}${last === null ? '이(가)' : last === '' ? '가' : '이'}`;
}
