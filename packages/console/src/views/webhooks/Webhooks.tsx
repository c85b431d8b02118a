import { ActButton } from '../../kit/ActButton.tsx';
import './webhooks.css';
import { useSignal } from '@preact/signals';
import { get, requestOf } from '../../kit/api.ts';
import { Link } from '../../kit/Link.tsx';
import { Page } from '../../kit/Page.tsx';
import { Query } from '../../kit/Query.tsx';
import { query } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { AddEndpoint } from './AddEndpoint.tsx';
import { EndpointDetail } from './EndpointDetail.tsx';
import { EndpointState } from './EndpointState.tsx';
import { LiveTail } from './LiveTail.tsx';
import { Strip } from './Strip.tsx';
import { texts as catalogue } from './texts.ts';

const HOURS = { hours: 24 };
/** A platform has at most 50 endpoints in each mode. */
const LIMIT = { limit: 100 };

/** `?endpoint=` one endpoint, else all of them and the stream. */
export default function Webhooks() {
  const endpointId = query.value.get('endpoint');
  return endpointId ? <EndpointDetail endpointId={endpointId} key={endpointId} /> : <Endpoints />;
}

function Endpoints() {
  const texts = t(catalogue);
  const isAdding = useSignal(false);
  const loaded = useQuery(async (signal) => {
    const [{ webhooks }, attempts] = await Promise.all([
      get('GET /webhooks', { query: LIMIT }, signal),
      get('GET /webhooks/attempts', { query: HOURS }, signal),
    ]);
    return { webhooks, attempts };
  }, []);
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
      <section class="panel">
        <h2>{texts.endpoints}</h2>
        <Query
          of={loaded}
          height={200}
          isEmpty={({ webhooks }) => webhooks.length === 0}
          empty={
            <>
              <p>{texts.none}</p>
              <code>npx reliability listen --forward-to http://localhost:4000/hook</code>
            </>
          }
        >
          {({ webhooks, attempts: { from, endpoints } }) => (
            <ul class="endpoints">
              {webhooks.map((webhook) => {
                const hours = endpoints.find(({ webhookId }) => webhookId === webhook.id);
                return (
                  <li key={webhook.id}>
                    <div>
                      <Link to={`/webhooks?endpoint=${webhook.id}`}>
                        <bdi>{webhook.url}</bdi>
                      </Link>
                      <p class="soft" dir="auto">
                        <EndpointState of={webhook} /> {webhook.description}
                      </p>
                    </div>
                    {hours && <Strip from={from} succeeded={hours.succeeded} failed={hours.failed} />}
                  </li>
                );
              })}
            </ul>
          )}
        </Query>
      </section>
      <LiveTail />
      {isAdding.value && <AddEndpoint onAdded={loaded.reload} onClose={() => (isAdding.value = false)} />}
    </Page>
  );
}
