import type { RequestOptions, TestService } from '../../harness/service.js';

/** The least a qualification must say, and whatever a test adds. */
export function qualification(more: object = {}): object {
  return { eventType: 'SKILL_VERIFIED', title: 'Tiling', ...more };
}

/** One that somebody other than the subject stands behind. */
export function verified(more: object = {}): object {
  return qualification({ isVerified: true, verifiedBy: 'trade-school', ...more });
}

/** The least a reference must say, and whatever a test adds. */
export function reference(more: object = {}): Record<string, unknown> {
  return {
    userId: 'worker-1',
    claim: { kind: 'employment', title: 'Fitter' },
    counterpartyRef: 'employer-1',
    ...more,
  };
}

type Options = Omit<RequestOptions, 'body'>;

/** Creates a subject by an event that moves no score, unless it is there. */
export async function known(service: TestService, userId: unknown, { key }: Options = {}): Promise<void> {
  const body = { userId, eventType: 'TRANSACTION_CANCELLED', idempotencyKey: `known-${userId}` };
  await service.request('POST', '/events', { key, body });
}

/** POST /references, about a subject that there is. */
export async function ask(service: TestService, more: object = {}, options: Options = {}) {
  const body = reference(more);
  await known(service, body.userId, options);
  return service.request('POST', '/references', { ...options, body });
}

/** A reference that stands, with its token. */
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

/** GET /references/{id}/preview, as the counterparty. */
export function preview(service: TestService, { id, token }: { id: string; token: string }) {
  return service.request('GET', `/references/${id}/preview?token=${encodeURIComponent(token)}`, {
    key: null,
  });
}
