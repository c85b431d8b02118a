import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { kitTexts as texts } from './kitTexts.ts';

/** Before each attempt, a minute in all: a restart takes less, and a limit of requests is over then. */
const PAUSES_SECONDS = [1, 3, 8, 18, 30];

/**
 * Tries again by itself after a failure, some times and at longer and longer intervals, and at once
 * when the device is back online. Only for what changes nothing.
 * @param failure another one for each failed attempt; null: there is none.
 * @param retry undefined: trying again cannot help.
 * @returns what to tell the reader.
 */
export function useRetries(failure: unknown, retry: (() => void) | undefined): string | null {
  const attempts = useRef(0);
  const latest = useRef(retry);
  latest.current = retry;
  const text = useSignal<string | null>(null);
  useEffect(() => {
    if (failure === null || !latest.current) return;
    const pause = PAUSES_SECONDS[attempts.current];
    text.value = pause === undefined ? texts.gaveUp(attempts.current) : texts.triesAgain(pause);
    const again = () => {
      attempts.current += 1;
      text.value = texts.trying;
      latest.current?.();
    };
    const timer = pause === undefined ? undefined : setTimeout(again, pause * 1000);
    addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', again);
    };
  }, [failure]);
  return text.value;
}
