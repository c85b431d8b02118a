import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import type { ScreeningDeps } from './deps.js';
import { loadScreening } from './lockScreening.js';
import type { screeningPath } from './schemas.js';

/** GET /screenings/{id}: how far it is, without its results. */
export async function readScreening(
  deps: ScreeningDeps,
  { caller, params }: RequestContext<KeyAccess, undefined, undefined, z.output<typeof screeningPath>>,
): Promise<Answer> {
  return ok(await loadScreening(deps, caller, params.id));
}
