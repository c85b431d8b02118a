import type { AnswerOf } from '../../kit/api.ts';

export type KeyRow = AnswerOf<'GET /platform/keys'>['keys'][number];
export type KeyState = 'active' | 'replaced' | 'expired' | 'revoked';

/** `replaced`: it still works for the rest of its grace. */
export function stateOf({ isActive, expiresAt, replacedBy }: KeyRow, now: number): KeyState {
  if (!isActive) return 'revoked';
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'expired';
  return replacedBy === null ? 'active' : 'replaced';
}

/** What is left until a moment, to the second: `23:59:58`, with days in front. */
export function countdown(until: string, now: number): string {
  const seconds = Math.max(0, Math.round((Date.parse(until) - now) / 1000));
  const days = Math.floor(seconds / 86_400);
  const clock = new Date((seconds % 86_400) * 1000).toISOString().slice(11, 19);
  return days > 0 ? `${days} d ${clock}` : clock;
}
