import { useSignal } from '@preact/signals';
import { requestOf } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { wordsFor } from '../../kit/enumTexts.ts';
import { Page } from '../../kit/parts.tsx';
import { Query, useGet } from '../../kit/Query.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Deliveries } from './Deliveries.tsx';
import { DeliveryDialog } from './DeliveryDialog.tsx';
import { EndpointActions } from './EndpointActions.tsx';
import { EndpointState, Strip } from './EndpointParts.tsx';
import { texts } from './texts.ts';

/** One endpoint: its state, its attempts, its deliveries, and what one can do. */
export function EndpointDetail({ endpointId }: { endpointId: string }) {
  const params = { id: endpointId };
  const round = useSignal(0);
  const endpoint = useGet('GET /webhooks/{id}', { params });
  const attempts = useGet('GET /webhooks/attempts', { query: { hours: 24 } }, { version: round.value });
  const deliveryId = query.value.get('delivery');
  const reload = () => {
    endpoint.reload();
    round.value += 1;
  };
  const hours = attempts.data?.endpoints.find(({ webhookId }) => webhookId === endpointId);
  return (
    <Page
      title={texts.title}
      calls={[
        requestOf('GET /webhooks/{id}', { params }),
        requestOf('GET /webhooks/{id}/deliveries', { params, query: { limit: 50 } }),
      ]}
      actions={
        <Button
          text={texts.back}
          onClick={() => setQuery({ endpoint: null, status: null, type: null, q: null })}
        />
      }
    >
      <section class="panel">
        <Query of={endpoint} height={230}>
          {(webhook) => (
            <>
              <h2 dir="ltr">{webhook.url}</h2>
              <p dir="auto">
                <EndpointState of={webhook} hours={hours} />
                {webhook.description && ` · ${webhook.description}`}
              </p>
              <p class="soft">
                {webhook.events.map((type) => wordsFor('webhookEventType', type)).join(', ')}
              </p>
              <h3>{texts.lastHours}</h3>
              {hours && attempts.data ? (
                <Strip from={attempts.data.from} succeeded={hours.succeeded} failed={hours.failed} />
              ) : (
                <div class="strip" />
              )}
              {may('webhooks', 'write') && <EndpointActions endpoint={webhook} onChanged={reload} />}
            </>
          )}
        </Query>
      </section>
      <Deliveries endpointId={endpointId} round={round.value} />
      {deliveryId && (
        <DeliveryDialog
          endpointId={endpointId}
          deliveryId={deliveryId}
          onReplayed={reload}
          onClose={() => setQuery({ delivery: null })}
        />
      )}
    </Page>
  );
}
