// What a room is at the moment, in words.

import type { Control, Room } from '../net/protocol';
import { choiceName, modelName } from '../texts/names';
import { texts } from '../texts/texts';
import { LOBBY, spacedCode } from './names';

export const PAUSE = 'run'; // the controls that everyone sees the effect of in another way
export const PRESET = 'preset';

export const control = (room: Room, name: string): Control | undefined => room.controls.find((each) => each.name === name);

export const paused = (room: Room): boolean => control(room, PAUSE)?.value === 'paused';

/** The preset, if one is in force, and the model. */
export function summary(room: Room): string {
  const preset = control(room, PRESET)?.value ?? '';
  const model = modelName(room.model);
  return preset === '' ? model : `${choiceName(PRESET, preset)} · ${model}`;
}

/** What the room is called: by its title, or else by its code. */
export const roomTitle = ({ title, code }: Room): string =>
  title !== '' ? title : code === LOBBY ? texts.common.lobby : texts.common.roomOfCode(spacedCode(code));
