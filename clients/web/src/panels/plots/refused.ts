// The texts of refused sweeps.

import { errorText } from '../../app/errors';
import { limitsOf } from '../../flock/pairs';
import type { Param, ServerError } from '../../net/protocol';
import { paramName } from '../../texts/names';
import { exact, texts } from '../../texts/texts';
import { plotsTexts } from './texts';

/** Returns the reason for people. params: of the room. */
export function sweepRefusal(error: ServerError, params: readonly Param[]): string {
  const { code, field, name } = error;
  if (code === 'state' && field === '') return plotsTexts().sweep.busy;
  if (code !== 'range') return errorText(error);
  const param = params.find((each) => each.name === name);
  if (param === undefined) return plotsTexts().sweep.gone;
  const [least, most] = limitsOf(params, param).map(exact);
  return texts.errors.paramRange(paramName(name), least, most);
}
