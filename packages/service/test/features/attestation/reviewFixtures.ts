import type { TestAnswer, TestService } from '#harness/service.js';

/** A review in a response. */
export interface ReviewResponse {
  id: string;
  userId: string;
  eventId: string | null;
  status: string;
  text: string | null;
  respondBy: string;
  openedAt: string;
}

/** The token of a new link to the record of a subject, which has an event or a score. */
export async function recordToken(service: TestService, userId: string, key?: string): Promise<string> {
  const path = `/users/${encodeURIComponent(userId)}/record-links`;
  const { status, body, text } = await service.request('POST', path, { key, body: {} });
  if (status !== 201) throw new Error(`${path} answered ${status}: ${text}`);
  return new URL(body.url).pathname.split('/').at(-1) ?? '';
}

/** Errors come as pages otherwise. */
const headers = { Accept: 'application/json' };

/** POST /record/{token}/reviews, as the page sends it for the subject. */
export function object(service: TestService, token: string, body: unknown): Promise<TestAnswer> {
  return service.request('POST', `!/record/${token}/reviews`, { key: null, headers, body });
}

export const TEXT = 'I was on time. The customer was not at home.';

/** A new review. */
export async function objected(
  service: TestService,
  token: string,
  body: object = {},
): Promise<ReviewResponse> {
  const answer = await object(service, token, { text: TEXT, ...body });
  if (answer.status !== 201) throw new Error(`the review was refused with ${answer.status}: ${answer.text}`);
  return answer.body.review;
}

export const ANSWER = { outcome: 'UPHELD', text: 'The customer confirmed the date.', reviewer: 'Ada Moreno' };

/** POST /reviews/{id}/answer. */
export function answerReview(
  service: TestService,
  id: string,
  body: unknown = ANSWER,
  key?: string,
): Promise<TestAnswer> {
  return service.request('POST', `/reviews/${id}/answer`, { key, body });
}

/** POST /record/{token}/reviews/{id}/withdraw, as the page sends it. */
export function withdrawReview(service: TestService, token: string, id: string): Promise<TestAnswer> {
  return service.request('POST', `!/record/${token}/reviews/${id}/withdraw`, {
    key: null,
    headers,
    body: {},
  });
}
