import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { send } from './api.ts';
import { type ApiFailure, failureFrom } from './apiFailure.ts';
import type { Call } from './session.ts';

interface State {
  readonly isBusy: boolean;
  readonly failure: ApiFailure | null;
}

/** A write that is under way, has failed or has answered. */
interface Action<Given extends unknown[], Result> extends State {
  run(...given: Given): Promise<Result | null>;
  readonly result: Result | null;
  /** Forgets the answer. */
  reset(): void;
}

/** Runs a write once at a time, and keeps what it answered; null after a failure. */
export function useAction<Given extends unknown[], Result>(
  perform: (...given: Given) => Promise<Result>,
): Action<Given, Result> {
  const state = useSignal<State & { result: Result | null }>({ isBusy: false, failure: null, result: null });
  return {
    ...state.value,
    async run(...given) {
      if (state.peek().isBusy) return null;
      state.value = { isBusy: true, failure: null, result: null };
      try {
        const result = await perform(...given);
        state.value = { isBusy: false, failure: null, result };
        return result;
      } catch (error) {
        state.value = { isBusy: false, failure: failureFrom(error), result: null };
        return null;
      }
    },
    reset() {
      state.value = { isBusy: false, failure: null, result: null };
    },
  };
}

interface Act extends State {
  /** @param done called with the answer. @returns the answer; null after a failure, which is in `failure`. */
  run<Result>(call: Call<Result>, done?: (answer: Result) => void): Promise<Result | null>;
}

/**
 * Sends the writes of a dialog or form. The same request again has the same idempotency key, so a
 * write whose answer was lost happens once.
 */
export function useAct(): Act {
  const last = useRef({ text: '', idempotencyKey: '' });
  const { isBusy, failure, run } = useAction(async (call: Call<unknown>) => {
    const text = JSON.stringify(call);
    if (text !== last.current.text) last.current = { text, idempotencyKey: randomKey() };
    const answer = await send(call, { idempotencyKey: last.current.idempotencyKey });
    last.current = { text: '', idempotencyKey: '' };
    return answer;
  });
  return {
    isBusy,
    failure,
    async run<Result>(call: Call<Result>, done?: (answer: Result) => void) {
      const answer = (await run(call)) as Result | null;
      if (answer !== null) done?.(answer);
      return answer;
    },
  };
}

/** `crypto.randomUUID` needs https, which a console on a local network may lack. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
