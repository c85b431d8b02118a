import { requestOf } from '../../kit/api.ts';
import { Page, Panel } from '../../kit/parts.tsx';
import { Query, useGet, useQuery } from '../../kit/Query.tsx';
import { Health } from './Health.tsx';
import { Audits, Backtests } from './Runs.tsx';
import { FrozenScores, Sweeps } from './Tasks.tsx';
import { texts } from './texts.ts';

const HEALTH_EVERY_MS = 10_000;

/** The state of the installation, for its operator, and what only the operator may do. */
export default function Installation() {
  const status = useGet('GET /status.json', {}, { everyMs: HEALTH_EVERY_MS });
  const keys = useQuery(loadSigningKeys, []);
  return (
    <Page
      title={texts.title}
      calls={[
        requestOf('GET /status.json'),
        requestOf('GET /admin/frozen-scores'),
        requestOf('GET /admin/audits'),
        requestOf('GET /admin/analytics/backtest'),
      ]}
    >
      <Panel title={texts.health}>
        <Query of={status} height={180}>
          {(state) => <Health of={state} />}
        </Query>
      </Panel>
      <FrozenScores />
      <Sweeps />
      <Audits />
      <Backtests />
      <Panel title={texts.keys} lead={texts.keysNote}>
        <Query of={keys} height={80}>
          {(ids) => (
            <ul>
              {ids.map((id) => (
                <li key={id}>
                  <code>{id}</code>
                </li>
              ))}
            </ul>
          )}
        </Query>
      </Panel>
    </Page>
  );
}

/** Public: the keys of credentials, of webhooks and of the log. */
async function loadSigningKeys(signal: AbortSignal): Promise<string[]> {
  const response = await fetch('/.well-known/did.json', { signal });
  const { verificationMethod = [] } = (await response.json()) as { verificationMethod?: { id: string }[] };
  return verificationMethod.map(({ id }) => id);
}
