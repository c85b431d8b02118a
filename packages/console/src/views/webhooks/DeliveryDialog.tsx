import { useSignal } from '@preact/signals';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { CurlButton } from '../../kit/CurlButton.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { formatNumber } from '../../kit/format.ts';
import { Details, Moment, SubjectLink } from '../../kit/parts.tsx';
import { Failure, Query, useGet } from '../../kit/Query.tsx';
import { setQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAction.ts';
import { checkSignature, type Verdict } from './checkSignature.ts';
import { TypeName } from './EndpointParts.tsx';
import { texts } from './texts.ts';

interface DeliveryDialogProps {
  endpointId: string;
  deliveryId: string;
  onReplayed: () => void;
  onClose: () => void;
}

type Request = AnswerOf<'GET /webhooks/{id}/deliveries/{deliveryId}/request'>;

/** An attempt: what was sent, what came back, and whether its signature fits a secret. */
export function DeliveryDialog({ endpointId, deliveryId, onReplayed, onClose }: DeliveryDialogProps) {
  const params = { id: endpointId, deliveryId };
  const act = useAct();
  const delivery = useGet('GET /webhooks/{id}/deliveries/{deliveryId}', { params });
  const request = useGet('GET /webhooks/{id}/deliveries/{deliveryId}/request', { params });
  const replay = () =>
    act.run(requestOf('POST /webhooks/{id}/deliveries/{deliveryId}/replay', { params }), ({ id, status }) => {
      toast(texts.replayed(texts[status]));
      onReplayed();
      setQuery({ delivery: id });
    });
  return (
    <Dialog title={texts.delivery} onClose={onClose} class="delivery">
      <Query of={delivery} height={220}>
        {({ type, status, attempt, createdAt, latencyMs, responseStatus, responseBody, error, ...rest }) => (
          <>
            <Details
              of={[
                [texts.type, <TypeName of={type} />],
                [texts.result, <span class={status === 'failed' ? 'bad' : 'good'}>{texts[status]}</span>],
                rest.userId !== null && [texts.subject, <SubjectLink id={rest.userId} />],
                [
                  texts.at,
                  <>
                    <Moment at={createdAt} seconds /> · {texts.attemptOf(formatNumber(attempt))} ·{' '}
                    {formatNumber(latencyMs)} ms
                  </>,
                ],
                rest.nextAttemptAt && [texts.next, <Moment at={rest.nextAttemptAt} seconds />],
                [texts.envelope, <code>{rest.envelopeId}</code>],
              ]}
            />
            <h3>{texts.response}</h3>
            <p>
              <strong>{responseStatus ?? texts.noAnswer}</strong> <span dir="auto">{error}</span>
            </p>
            {responseStatus !== null && (
              <pre class="code" dir="auto" tabIndex={0}>
                {responseBody || texts.emptyBody}
              </pre>
            )}
          </>
        )}
      </Query>
      <h3>{texts.request}</h3>
      <Query of={request} height={320}>
        {(sent) => <SentRequest of={sent} key={deliveryId} />}
      </Query>
      {act.failure && <Failure of={act.failure} />}
      <div class="actions">
        {may('webhooks', 'write') && (
          <Button text={texts.replay} class="primary" disabled={act.isBusy} onClick={replay} />
        )}
        <CurlButton calls={[requestOf('GET /webhooks/{id}/deliveries/{deliveryId}/request', { params })]} />
      </div>
    </Dialog>
  );
}

function SentRequest({ of }: { of: Request }) {
  const verdict = useSignal<Verdict | null>(null);
  return (
    <>
      <pre class="code" tabIndex={0}>
        {[`${of.method} ${of.url}`, ...Object.entries(of.headers).map((header) => header.join(': '))].join(
          '\n',
        )}
        {`\n\n${readable(of.body)}`}
      </pre>
      <form
        class="form check"
        onSubmit={(event) => {
          event.preventDefault();
          const secret = String(new FormData(event.currentTarget).get('secret')).trim();
          void checkSignature(of, secret).then((found) => (verdict.value = found));
        }}
      >
        <label>
          {texts.check}
          <input name="secret" type="password" autocomplete="off" required placeholder="whsec_" />
        </label>
        <p class="soft">{texts.checkNote}</p>
        <div class="actions">
          <button type="submit">{texts.checkButton}</button>
        </div>
        <div role="status">
          {verdict.value && (
            <>
              <p class={VERDICT_CLASS[verdict.value.result]}>{texts[verdict.value.result]}</p>
              {verdict.value.reason && <p class="soft">{verdict.value.reason}</p>}
            </>
          )}
        </div>
      </form>
    </>
  );
}

const VERDICT_CLASS = { all: 'good', secretOnly: 'warn', noneFits: 'bad', needsHttps: 'warn' } as const;

/** Indented for reading. The signature is over the text as it was sent. */
function readable(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
