import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type AnswerOf, get, type OperationName, type RequestInput } from './api.ts';
import { type ApiFailure, failureFrom } from './apiFailure.ts';
import { Button } from './Button.tsx';
import { germanFailures } from './germanFailures.ts';
import { kitTexts as texts } from './kitTexts.ts';
import { language } from './texts.ts';
import { useRetries } from './useRetries.ts';

type GetName = OperationName & `GET ${string}`;

/** As `useQuery` for one GET. @param version changes when the answer may have changed. */
export function useGet<Name extends GetName>(
  name: Name,
  input: RequestInput = {},
  { version, ...options }: QueryOptions & { version?: unknown } = {},
): Loaded<AnswerOf<Name>> {
  return useQuery((signal) => get(name, input, signal), [JSON.stringify(input), version], options);
}

/** As `usePages` for one GET, of which a member is the list. @param version as of `useGet`. */
export function useList<Name extends GetName, Member extends keyof AnswerOf<Name>>(
  name: Name,
  member: Member,
  input: RequestInput = {},
  version?: unknown,
): Pages<AnswerOf<Name>[Member] extends readonly (infer Row)[] ? Row : never> {
  return usePages(
    async (cursor, signal) => {
      const page = await get(name, { ...input, query: { limit: 100, ...input.query, cursor } }, signal);
      const { [member]: rows, nextCursor } = page as never as Record<Member, never[]> & {
        nextCursor: string | null;
      };
      return { rows, nextCursor };
    },
    [JSON.stringify(input), version],
  );
}

interface State<Data> {
  readonly data: Data | undefined;
  readonly failure: ApiFailure | null;
  readonly isLoading: boolean;
}

/** What a view has of an answer. While it is asked for again, the last data stays. */
export interface Loaded<Data> extends State<Data> {
  reload(): void;
}

interface QueryOptions {
  /** Asks again while the page is visible. The data stays as it is meanwhile: `isLoading` says nothing of it. */
  everyMs?: number;
  /** False: not yet. */
  isEnabled?: boolean;
}

/**
 * Asks when the view opens and whenever an input changes, and aborts what is under way then.
 * @param inputs texts, numbers and the like, compared one by one.
 */
export function useQuery<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  inputs: readonly unknown[],
  { everyMs, isEnabled = true }: QueryOptions = {},
): Loaded<Data> {
  const state = useSignal<State<Data>>({ data: undefined, failure: null, isLoading: true });
  const round = useSignal(0);
  const latest = useRef(load);
  const underWay = useRef<AbortSignal | null>(null);
  const isRefresh = useRef(false);
  latest.current = load;
  // Before the next frame: the last data must not stand beside the new inputs as if it were theirs.
  useLayoutEffect(() => {
    if (!isEnabled) return;
    const controller = new AbortController();
    if (!isRefresh.current) state.value = { ...state.peek(), isLoading: true };
    isRefresh.current = false;
    underWay.current = controller.signal;
    void ask(state, latest.current, controller.signal).then(() => {
      if (!controller.signal.aborted) underWay.current = null;
    });
    return () => controller.abort();
  }, [...inputs, isEnabled, round.value]);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      // An answer that takes longer than the interval must not be aborted for the next one.
      if (document.hidden || underWay.current) return;
      isRefresh.current = true;
      round.value += 1;
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return { ...state.value, reload: () => (round.value += 1) };
}

async function ask<Data>(
  state: Signal<State<Data>>,
  load: (signal: AbortSignal) => Promise<Data>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const data = await load(signal);
    if (!signal.aborted) state.value = { data, failure: null, isLoading: false };
  } catch (error) {
    if (signal.aborted) return;
    state.value = { data: state.peek().data, failure: failureFrom(error), isLoading: false };
  }
}

/** Rows of a list, page after page. */
export interface Pages<Row> {
  readonly rows: readonly Row[];
  readonly failure: ApiFailure | null;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  more(): void;
  reload(): void;
}

/** As `useQuery` for a list with a cursor: the table asks for more when its end comes near. */
export function usePages<Row>(
  load: (
    cursor: string | undefined,
    signal: AbortSignal,
  ) => Promise<{ rows: readonly Row[]; nextCursor: string | null }>,
  inputs: readonly unknown[],
): Pages<Row> {
  const state = useSignal<{
    rows: readonly Row[];
    next: string | null;
    failure: ApiFailure | null;
    isLoading: boolean;
  }>({
    rows: [],
    next: null,
    failure: null,
    isLoading: true,
  });
  const round = useSignal(0);
  const latest = useRef(load);
  const controller = useRef(new AbortController());
  latest.current = load;
  useLayoutEffect(() => {
    controller.current = new AbortController();
    void page(undefined);
    return () => controller.current.abort();
  }, [...inputs, round.value]);

  async function page(cursor: string | undefined): Promise<void> {
    const { signal } = controller.current;
    state.value = { ...state.peek(), isLoading: true };
    try {
      const { rows, nextCursor } = await latest.current(cursor, signal);
      if (signal.aborted) return;
      const before = cursor === undefined ? [] : state.peek().rows;
      state.value = { rows: [...before, ...rows], next: nextCursor, failure: null, isLoading: false };
    } catch (error) {
      if (!signal.aborted) state.value = { ...state.peek(), failure: failureFrom(error), isLoading: false };
    }
  }

  const { rows, next, failure, isLoading } = state.value;
  return {
    rows,
    failure,
    isLoading,
    hasMore: next !== null,
    more() {
      const { next: cursor, isLoading: isBusy, failure: failed } = state.peek();
      if (cursor !== null && !isBusy && !failed) void page(cursor);
    },
    reload: () => (round.value += 1),
  };
}

interface QueryProps<Data> {
  of: Loaded<Data>;
  /** In pixels: what is loaded later takes this space now, so nothing jumps. */
  height?: number;
  /** Whether there is nothing to show, and `empty` says the next step. */
  isEmpty?: (data: Data) => boolean;
  empty?: ComponentChildren;
  children: (data: Data) => ComponentChildren;
}

/** Shows an answer, or that it is awaited, failed or empty. */
export function Query<Data>({ of, height = 120, isEmpty, empty, children }: QueryProps<Data>) {
  const { data, failure, isLoading, reload } = of;
  if (failure && data === undefined) return <Failure of={failure} height={height} retry={reload} />;
  if (data === undefined) return <Skeleton height={height} />;
  return (
    <div aria-busy={isLoading} class={isLoading ? 'stale' : undefined}>
      {failure && <Failure of={failure} retry={reload} />}
      {isEmpty?.(data) ? <div class="empty">{empty}</div> : children(data)}
    </div>
  );
}

export function Skeleton({ height }: { height: number }) {
  return (
    <div class="skeleton" style={{ height: `${height}px` }} role="status">
      <span class="hidden">{texts.loading}</span>
    </div>
  );
}

interface FailureProps {
  of: ApiFailure;
  height?: number;
  retry?: () => void;
}

/** An error with the id that the operator finds in the log. What can be tried again is, by itself. */
export function Failure({ of: failure, height, retry }: FailureProps) {
  const { message, code, status, requestId } = failure;
  // A refusal stays one: no second attempt, and no room for what it could bring.
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  const attempts = useRetries(failure, isRefused ? undefined : retry);
  const german = language.value === 'de' ? germanFailures[code] : undefined;
  return (
    <div class="failure" role="alert" style={{ minHeight: height && !isRefused ? `${height}px` : '' }}>
      <p dir="auto">
        <strong>{german ?? message}</strong>
      </p>
      {german && (
        <p dir="auto" lang="en">
          {message}
        </p>
      )}
      <p class="soft">
        <code>{code}</code>
        {requestId && (
          <>
            {' · '}
            {texts.requestId} <code>{requestId}</code>
          </>
        )}
      </p>
      {attempts && <p class="soft">{attempts}</p>}
      {retry && !isRefused && <Button text={texts.retry} onClick={retry} />}
    </div>
  );
}
