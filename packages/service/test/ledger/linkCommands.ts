import fc from 'fast-check';
import { ServiceError } from '#domain/errors.js';
import type { Linkable, LinkBench } from './linksDeps.js';

/** Any command about one of so many subjects. */
export function linkCommands(subjects: number) {
  const subject = fc.integer({ min: 0, max: subjects - 1 });
  return fc.oneof(
    fc.record({
      kind: fc.constant('report' as const),
      subject,
      count: fc.integer({ min: 1, max: 4 }),
      eventType: fc.constantFrom('CONTRACT_FULFILLED' as const, 'CONTRACT_BREACHED' as const),
      isVerified: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('link' as const), subject, host: subject }),
    fc.record({ kind: fc.constant('unlink' as const), subject }),
    fc.record({ kind: fc.constant('recompute' as const) }),
  );
}

export type LinkCommand = ReturnType<typeof linkCommands> extends fc.Arbitrary<infer C> ? C : never;

/** Returns the code of a refusal by a rule; null: it was done. Any other error is a bug. */
export async function carryOut(
  bench: LinkBench,
  subjects: readonly Linkable[],
  command: LinkCommand,
): Promise<string | null> {
  if (command.kind === 'recompute') return bench.recompute().then(() => null);
  const [target, host] = [command.subject, 'host' in command ? command.host : 0].map((at) => subjects[at]);
  if (!target || !host) throw new Error('there is no such subject');
  try {
    if (command.kind === 'link') await bench.link(target, host);
    else if (command.kind === 'unlink') await bench.unlink(target);
    else {
      const { count, eventType, isVerified } = command;
      await bench.report(target, Array(count).fill({ eventType, isVerified }));
    }
    return null;
  } catch (error) {
    if (error instanceof ServiceError && ['CONFLICT', 'NOT_FOUND'].includes(error.code)) return error.code;
    throw error;
  }
}
