// The texts of the help in the chosen language.

import { type HelpTexts, help } from './en-help';
import { texts } from './texts';

export const helpTexts = (): HelpTexts => ({ ...help, ...texts });
