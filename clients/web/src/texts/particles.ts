// Korean particles. Their form depends on the last sound of the preceding word.

const HANGUL = [0xac00, 0xd7a3]; // syllables, in groups of 28 by their last consonant: the first of each has none
const FINALS = 28;
const RIEUL = 8; // the last consonant ㄹ, among these
const DIGITS = ['ㅇ', 'ㄹ', '', 'ㅁ', '', '', 'ㄱ', 'ㄹ', 'ㄹ', '']; // the last consonant of each digit's reading: 영, 일, 이 …

/** Returns the word's last consonant (ㄱ stands for all except ㄹ in Hangul), '' after a vowel, and null if it is unknown, as for
 * Latin letters. */
function lastConsonant(word: string): string | null {
  const last = word.replace(/[^\p{L}\p{N}]+$/u, '').at(-1) ?? '';
  if (/[0-9]/.test(last)) return DIGITS[Number(last)];
  const code = last.charCodeAt(0);
  if (!(code >= HANGUL[0] && code <= HANGUL[1])) return null;
  const final = (code - HANGUL[0]) % FINALS;
  return final === 0 ? '' : final === RIEUL ? 'ㄹ' : 'ㄱ';
}

/** Returns 을 or 를, which mark the object; both if the word's last sound is unknown. */
export function object(word: string): string {
  const last = lastConsonant(word);
  return last === null ? '을(를)' : last === '' ? '를' : '을';
}

/** Returns 으로 or 로 (to, by). */
export function toward(word: string): string {
  const last = lastConsonant(word);
  return last === null ? '(으)로' : last === '' || last === 'ㄹ' ? '로' : '으로';
}

/** Returns the word as the subject, with 이 or 가; 나 becomes 내가. */
export function subject(word: string): string {
  if (word === '나') return '내가';
  const last = lastConsonant(word);
  return `${word}${last === null ? '이(가)' : last === '' ? '가' : '이'}`;
}
