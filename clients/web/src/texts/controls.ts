// The texts of the presenter's controls in the chosen language.

import { type ControlsTexts, controls } from './en-controls';
import { texts } from './texts';

export const controlsTexts = (): ControlsTexts => ({ ...controls, ...texts });
