import { useSignal } from '@preact/signals';
import { type ApiFailure, failureFrom } from './apiFailure.ts';

/** A write that is under way, has failed or has answered. */
export interface Action<Given extends unknown[], Result> {
  run(...given: Given): Promise<Result | undefined>;
  readonly isBusy: boolean;
  readonly failure: ApiFailure | null;
  readonly result: Result | null;
  reset(): void;
}

/** Runs a write once at a time, and keeps what it answered. */
export function useAction<Given extends unknown[], Result>(
  perform: (...given: Given) => Promise<Result>,
): Action<Given, Result> {
  const state = useSignal<{ isBusy: boolean; failure: ApiFailure | null; result: Result | null }>({
    isBusy: false,
    failure: null,
    result: null,
  });
  return {
    ...state.value,
    async run(...given) {
      if (state.peek().isBusy) return undefined;
      state.value = { isBusy: true, failure: null, result: null };
      try {
        const result = await perform(...given);
        state.value = { isBusy: false, failure: null, result };
        return result;
      } catch (error) {
        state.value = { isBusy: false, failure: failureFrom(error), result: null };
        return undefined;
      }
    },
    reset() {
      state.value = { isBusy: false, failure: null, result: null };
    },
  };
}
