import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Clock } from '../../../kit/clock.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import type { sweepPath } from './schemas.js';
import { runSweeps, type Sweeps, sweepNames } from './sweeps.js';

export interface OperatorDeps {
  clock: Clock;
  sweeps: Sweeps;
}

/** POST /admin/sweeps/{name}: does now what the schedule does anyway (RULES O2). */
export async function runSweep(
  { clock, sweeps }: OperatorDeps,
  { params }: RequestContext<OperatorAccess, undefined, undefined, z.output<typeof sweepPath>>,
): Promise<Answer> {
  const name = sweepNames.find((known) => known === params.name);
  if (!name) fail('NOT_FOUND', { message: `There is no such sweep. Known are ${sweepNames.join(', ')}.` });
  const affected = await runSweeps(sweeps[name], clock.now(), new AbortController().signal);
  return ok({ name, affected });
}
