import { ActButton } from '../../kit/Button.tsx';
import './webhooks.css';
import { useSignal } from '@preact/signals';
import { requestOf } from '../../kit/api.ts';
import { Link } from '../../kit/Link.tsx';
import { Page, Panel, Rows } from '../../kit/parts.tsx';
import { useGet } from '../../kit/Query.tsx';
import { query } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { AddEndpoint } from './AddEndpoint.tsx';
import { EndpointDetail } from './EndpointDetail.tsx';
import { EndpointState, Strip } from './EndpointParts.tsx';
import { LiveTail } from './LiveTail.tsx';
import { texts } from './texts.ts';

const HOURS = { hours: 24 };
/** A platform has at most 50 endpoints in each mode. */
const LIMIT = { limit: 100 };

/** `?endpoint=` one endpoint, else all of them and the stream. */
export default function Webhooks() {
  const endpointId = query.value.get('endpoint');
  return endpointId ? <EndpointDetail endpointId={endpointId} key={endpointId} /> : <Endpoints />;
}

function Endpoints() {
  const isAdding = useSignal(false);
  const loaded = useGet('GET /webhooks', { query: LIMIT });
  const attempts = useGet('GET /webhooks/attempts', { query: HOURS });
  return (
    <Page
      title={texts.title}
      calls={[
        requestOf('GET /webhooks', { query: LIMIT }),
        requestOf('GET /webhooks/attempts', { query: HOURS }),
        requestOf('GET /events/stream'),
      ]}
      actions={
        may('webhooks', 'write') && (
          <ActButton press="n" text={texts.add} class="primary" onAct={() => (isAdding.value = true)} />
        )
      }
    >
      <Panel title={texts.endpoints}>
        <Rows
          of={loaded}
          rows={({ webhooks }) => webhooks}
          class="entries endpoints"
          height={200}
          empty={
            <>
              <p>{texts.none}</p>
              <code>
                npx @reliability/cli listen --url {location.origin} --forward-to http://localhost:4000/hook
              </code>
            </>
          }
        >
          {(webhook) => {
            const hours = attempts.data?.endpoints.find(({ webhookId }) => webhookId === webhook.id);
            return (
              <>
                <div>
                  <Link to={`/webhooks?endpoint=${webhook.id}`}>
                    <bdi>{webhook.url}</bdi>
                  </Link>
                  <p class="soft" dir="auto">
                    <EndpointState of={webhook} hours={hours} />
                    {webhook.description && ` · ${webhook.description}`}
                  </p>
                </div>
                {hours && attempts.data && (
                  <Strip from={attempts.data.from} succeeded={hours.succeeded} failed={hours.failed} />
                )}
              </>
            );
          }}
        </Rows>
      </Panel>
      <LiveTail />
      {isAdding.value && <AddEndpoint onAdded={loaded.reload} onClose={() => (isAdding.value = false)} />}
    </Page>
  );
}
