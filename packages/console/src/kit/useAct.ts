import { useRef } from 'preact/hooks';
import { send } from './api.ts';
import type { Call } from './session.ts';
import { type Action, useAction } from './useAction.ts';

interface Act extends Omit<Action<[Call<unknown>], unknown>, 'run'> {
  /** The answer; null after a failure, which is in `failure`. */
  run<Result>(call: Call<Result>): Promise<Result | null>;
}

/**
 * Sends the writes of a dialog or form. The same request again has the same idempotency key, so a
 * write whose answer was lost happens once.
 */
export function useAct(): Act {
  const last = useRef({ text: '', idempotencyKey: '' });
  const action = useAction(async (call: Call<unknown>) => {
    const text = JSON.stringify(call);
    if (text !== last.current.text) last.current = { text, idempotencyKey: randomKey() };
    const answer = await send(call, { idempotencyKey: last.current.idempotencyKey });
    last.current = { text: '', idempotencyKey: '' };
    return answer;
  });
  return {
    ...action,
    run: async <Result>(call: Call<Result>) => ((await action.run(call)) as Result | undefined) ?? null,
  };
}

/** `crypto.randomUUID` needs https, which a console on a local network may lack. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
