import type { RequestOptions, TestAnswer, TestService } from '#harness/service.js';

/** The smallest valid request for confirmation, and what a test adds. */
export function asking(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    userId: 'worker-1',
    eventType: 'CONTRACT_FULFILLED',
    counterpartyRef: 'customer-88',
    description: 'Kitchen fitted at 12 Mill Lane',
    ...more,
  };
}

/** The response of POST /confirmations, and each valid item of a batch. */
export interface Made {
  confirmation: { id: string; [field: string]: unknown };
  confirmationToken: string;
  confirmUrl: string;
  previewUrl: string;
  respondUrl: string;
}

/** POST /confirmations. */
export function ask(
  service: TestService,
  body: unknown = asking(),
  options: Omit<RequestOptions, 'body'> = {},
): Promise<TestAnswer> {
  return service.request('POST', '/confirmations', { ...options, body });
}

/** The same, but it must succeed. */
export async function made(
  service: TestService,
  more: Record<string, unknown> = {},
  options: Omit<RequestOptions, 'body'> = {},
): Promise<Made> {
  const answer = await ask(service, asking(more), options);
  if (answer.status !== 201) throw new Error(`no confirmation: ${answer.text}`);
  return answer.body;
}

/** The counterparty's answer: with the token, without a key. */
export function answered(
  service: TestService,
  { confirmation, confirmationToken: token }: Pick<Made, 'confirmation' | 'confirmationToken'>,
  decision: unknown,
): Promise<TestAnswer> {
  const path = `/confirmations/${confirmation.id}/respond`;
  return service.request('POST', path, { key: null, body: { token, decision } });
}

/** GET /confirmations/{id}/preview, as the counterparty. */
export function previewed(
  service: TestService,
  { confirmation, confirmationToken }: Pick<Made, 'confirmation' | 'confirmationToken'>,
): Promise<TestAnswer> {
  const path = `/confirmations/${confirmation.id}/preview?token=${encodeURIComponent(confirmationToken)}`;
  return service.request('GET', path, { key: null });
}

/** GET /confirmations/{id}, as the platform. */
export async function read(
  service: TestService,
  { confirmation }: Pick<Made, 'confirmation'>,
  key?: string,
  // biome-ignore lint/suspicious/noExplicitAny: the document checks it
): Promise<any> {
  return (await service.request('GET', `/confirmations/${confirmation.id}`, { key })).body;
}

export function cancelled(
  service: TestService,
  { confirmation }: Pick<Made, 'confirmation'>,
  key?: string,
): Promise<TestAnswer> {
  return service.request('POST', `/confirmations/${confirmation.id}/cancel`, { key });
}

/** Runs a sweep as its schedule does; returns the number of changes. */
export async function swept(service: TestService, name: 'reminders' | 'expiry'): Promise<number> {
  const answer = await service.request('POST', `/admin/sweeps/${name}`, { admin: true });
  if (answer.status !== 200) throw new Error(`the sweep answered ${answer.status}: ${answer.text}`);
  return answer.body.affected;
}
