import type { RequestOptions, TestService } from '#harness/service.js';

/** The required fields of a qualification, and what a test adds. */
export function qualification(more: object = {}): object {
  return { eventType: 'SKILL_VERIFIED', title: 'Tiling', ...more };
}

/** A qualification verified by another party. */
export function verified(more: object = {}): object {
  return qualification({ isVerified: true, verifiedBy: 'trade-school', ...more });
}

/** The required fields of a reference, and what a test adds. */
export function reference(more: object = {}): Record<string, unknown> {
  return {
    userId: 'worker-1',
    claim: { kind: 'employment', title: 'Fitter' },
    counterpartyRef: 'employer-1',
    ...more,
  };
}

type Options = Omit<RequestOptions, 'body'>;

/** Creates a subject with an event that does not affect the score, unless it exists. */
export async function known(service: TestService, userId: unknown, { key }: Options = {}): Promise<void> {
  const body = { userId, eventType: 'TRANSACTION_CANCELLED', idempotencyKey: `known-${userId}` };
  await service.request('POST', '/events', { key, body });
}

/** POST /references about an existing subject. */
export async function ask(service: TestService, more: object = {}, options: Options = {}) {
  const body = reference(more);
  await known(service, body.userId, options);
  return service.request('POST', '/references', { ...options, body });
}

/** A pending reference with its token. */
export async function asked(service: TestService, more: object = {}, options: Options = {}) {
  const answer = await ask(service, more, options);
  if (answer.status !== 201) throw new Error(`no reference: ${answer.text}`);
  return { id: answer.body.reference.id as string, token: answer.body.referenceToken as string };
}

/** POST /references/{id}/respond, as the counterparty. */
export function respond(
  service: TestService,
  { id, token }: { id: string; token: unknown },
  decision: unknown = 'confirm',
) {
  return service.request('POST', `/references/${id}/respond`, { key: null, body: { token, decision } });
}
