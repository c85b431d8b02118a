import type { ComponentChildren } from 'preact';
import type { ApiFailure } from './apiFailure.ts';
import { Button } from './Button.tsx';
import { kitTexts as texts } from './kitTexts.ts';
import type { Loaded } from './useQuery.ts';

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

/** An error with the id that the operator finds in the log. */
export function Failure({ of: { message, code, status, requestId }, height, retry }: FailureProps) {
  // A refusal stays one: no second attempt, and no room for what it could bring.
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return (
    <div class="failure" role="alert" style={{ minHeight: height && !isRefused ? `${height}px` : '' }}>
      <p dir="auto">
        <strong>{message}</strong>
      </p>
      <p class="soft">
        <code>{code}</code>
        {requestId && (
          <>
            {' · '}
            {texts.requestId} <code>{requestId}</code>
          </>
        )}
      </p>
      {retry && !isRefused && <Button text={texts.retry} onClick={retry} />}
    </div>
  );
}
