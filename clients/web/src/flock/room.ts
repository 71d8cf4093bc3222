// The room's present state, in words.

import type { Control, Role, Room } from '../net/protocol';
import { choiceName, modelName } from '../texts/names';
import { texts } from '../texts/texts';
import { LOBBY, spacedCode } from '../net/codes';

export const PAUSE = 'run'; // this control's effect is visible, so it has no news
export const PRESET = 'preset';
const DRAWING = 'drawing';
/** The controls that are in the panel of looks. Their values are seen. */
export const OF_LOOKS: readonly string[] = ['layers', 'coloring'];
export const FREE = 'free'; // their value while each person chooses

export const control = (room: Room, name: string): Control | undefined => room.controls.find((each) => each.name === name);

/** Whether a presenter has chosen layers or colours for everyone. */
export const looksImposed = ({ controls }: Room): boolean => controls.some(({ name, value }) => OF_LOOKS.includes(name) && value !== FREE);

export const paused = (room: Room): boolean => control(room, PAUSE)?.value === 'paused';

/** Returns the names of the preset (if any) and the model. */
export function summary(room: Room): string {
  const preset = control(room, PRESET)?.value ?? '';
  const model = modelName(room.model);
  return preset === '' ? model : `${choiceName(PRESET, preset)} · ${model}`;
}

/** Returns the room's title, or its code if it has no title. */
export const roomTitle = ({ title, code }: Room): string =>
  title !== '' ? title : code === LOBBY ? texts.common.lobby : texts.common.roomOfCode(spacedCode(code));

/** Whether this person may draw walls, drop food and set hunters loose. */
export const mayDraw = (room: Room | null, role: Role): boolean =>
  room !== null && (role === 'presenter' ? control(room, DRAWING) !== undefined : control(room, DRAWING)?.value === 'all');
