import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { addressOf, get } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { Moment, Panel } from '../../kit/parts.tsx';
import { isReadOnly, may } from '../../kit/session.ts';
import { TypeName } from './EndpointParts.tsx';
import { texts } from './texts.ts';

interface Envelope {
  id: string;
  type: string;
  createdAt: string;
  data: Readonly<Record<string, unknown>>;
}

interface Named {
  externalId?: string;
}

/** Types name their subject in different places. */
function subjectOf({ user, subject, userId }: Envelope['data']): string {
  const named = (user ?? subject ?? {}) as Named;
  return named.externalId ?? (typeof userId === 'string' ? userId : '');
}

/** The newest that stay in the page. */
const MAX_SHOWN = 100;

/** The stream of the platform while one watches. */
export function LiveTail() {
  const isWatching = useSignal(false);
  const state = useSignal<'connecting' | 'open' | 'broken'>('connecting');
  const envelopes = useSignal<readonly Envelope[]>([]);
  useEffect(() => {
    if (!isWatching.value) return;
    state.value = 'connecting';
    let source: EventSource | undefined;
    const controller = new AbortController();
    const receive = ({ data }: MessageEvent<string>) => {
      envelopes.value = [JSON.parse(data) as Envelope, ...envelopes.value].slice(0, MAX_SHOWN);
    };
    // An EventSource hands over only the types that it was asked for.
    void get('GET /webhooks/events', {}, controller.signal)
      .then(({ events }) => {
        source = new EventSource(addressOf('/events/stream'));
        source.onopen = () => (state.value = 'open');
        source.onerror = () => {
          state.value = source?.readyState === EventSource.CLOSED ? 'broken' : 'connecting';
        };
        for (const { type } of events) source.addEventListener(type, receive);
      })
      .catch(() => {
        if (!controller.signal.aborted) state.value = 'broken';
      });
    return () => {
      controller.abort();
      source?.close();
    };
  }, [isWatching.value]);
  if (!may('webhooks', 'read')) return null;
  return (
    <Panel title={texts.tail} lead={isReadOnly.value ? texts.notHere : texts.tailNote}>
      {!isReadOnly.value && (
        <div class="actions">
          <Button
            text={isWatching.value ? texts.stop : texts.start}
            aria-pressed={isWatching.value}
            onClick={() => (isWatching.value = !isWatching.value)}
          />
          <span role="status" class={state.value === 'broken' ? 'bad' : 'soft'}>
            {isWatching.value && texts[state.value]}
          </span>
        </div>
      )}
      {envelopes.value.length > 0 && (
        <ol class="entries tail" tabIndex={0} aria-label={texts.tail}>
          {envelopes.value.map(({ id, type, createdAt, data }) => (
            <li key={id}>
              <Moment at={createdAt} /> <TypeName of={type} /> <strong dir="auto">{subjectOf(data)}</strong>
              <details>
                <summary>{texts.envelope}</summary>
                <pre class="code" tabIndex={0}>
                  {JSON.stringify(data, null, 2)}
                </pre>
              </details>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
