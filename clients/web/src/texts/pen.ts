// The texts of the pen's counter.

import type { Language } from './texts';

export interface PenTexts {
  some(inside: number, boids: number): string;
  all(boids: number): string;
  /** For people who do not see the counter. */
  spoken(text: string, time: string): string;
}

export const PEN_TEXTS: Record<Language, PenTexts> = {
  en: {
    some: (inside, boids) => `${inside} of ${boids} in the pen`,
    all: (boids) => `All ${boids} in the pen`,
    spoken: (text, time) => `${text}, after ${time}`,
  },
  ja: {
    some: (inside, boids) => `囲いの中に ${boids} 匹中 ${inside} 匹`,
    all: (boids) => `${boids} 匹すべてが囲いの中`,
    spoken: (text, time) => `${text}。経過時間 ${time}`,
  },
  ko: {
    some: (inside, boids) => `${boids}마리 중 ${inside}마리가 우리 안`,
    all: (boids) => `${boids}마리 모두 우리 안`,
    spoken: (text, time) => `${text}, 경과 시간 ${time}`,
  },
  de: {
    some: (inside, boids) => `${inside} von ${boids} im Pferch`,
    all: (boids) => `Alle ${boids} im Pferch`,
    spoken: (text, time) => `${text}, nach ${time}`,
  },
  es: {
    some: (inside, boids) => `${inside} de ${boids} en el redil`,
    all: (boids) => `Las ${boids} en el redil`,
    spoken: (text, time) => `${text}, tras ${time}`,
  },
  fr: {
    some: (inside, boids) => `${inside} sur ${boids} dans l’enclos`,
    all: (boids) => `Tous les ${boids} dans l’enclos`,
    spoken: (text, time) => `${text}, après ${time}`,
  },
};
