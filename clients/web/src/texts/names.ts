// Texts for the server's names of controls, choices, parameters and units. An unknown name is shown unchanged, with the server's
// own sentence.

import type { NamedTexts } from './en';
import { texts } from './texts';

const plain = (name: string): string => name.replace(/[_-]+/g, ' ');

function find<T>(all: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

const choice = (control: string, value: string): NamedTexts[string] | undefined => find(find(texts.choices, control) ?? {}, value);

export const controlName = (name: string): string => find(texts.controls, name)?.name ?? plain(name);

/** fallback: the sentence that the server sent. */
export const controlText = (name: string, fallback: string): string => find(texts.controls, name)?.text ?? fallback;

export const choiceName = (control: string, value: string): string => choice(control, value)?.name ?? plain(value);

/** fallback: the sentence that the server sent. */
export const choiceText = (control: string, value: string, fallback: string): string => choice(control, value)?.text ?? fallback;

export const modelName = (name: string): string => choiceName('model', name);

export const presetName = (name: string): string => choiceName('preset', name);

export const paramName = (name: string): string => find(texts.params, name)?.name ?? plain(name);

/** fallback: the sentence that the server sent. */
export const paramText = (name: string, fallback: string): string => find(texts.params, name)?.text ?? fallback;

export const unitName = (unit: string): string => find(texts.units, unit) ?? unit;
