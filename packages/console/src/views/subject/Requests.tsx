import { get } from '../../kit/api.ts';
import { Moment } from '../../kit/Moment.tsx';
import { Query } from '../../kit/Query.tsx';
import { requestStatuses } from '../../kit/requestStatuses.ts';
import { t } from '../../kit/texts.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { texts as catalogue } from './texts.ts';

interface RequestsProps {
  id: string;
  version: number;
}

const LIMIT = 20;

/** Disputes about outcomes of the subject, with their clocks. */
export function Disputes({ id, version }: RequestsProps) {
  const texts = t(catalogue);
  const read = useQuery(
    (signal) => get('GET /disputes', { query: { userId: id, limit: LIMIT } }, signal),
    [id, version],
  );
  return (
    <section class="panel">
      <h2>{texts.openDisputes}</h2>
      <Query
        of={read}
        height={80}
        isEmpty={({ disputes }) => disputes.length === 0}
        empty={<p>{texts.noDisputes}</p>}
      >
        {({ disputes }) => (
          <ul class="entries">
            {disputes.map(({ id: disputeId, status, respondBy, openedAt }) => (
              <li key={disputeId}>
                {t(requestStatuses)[status]} · <Moment at={openedAt} />
                {status === 'OPEN' && (
                  <span class="warn">
                    {' '}
                    {texts.respondBy} <Moment at={respondBy} distance />
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </Query>
    </section>
  );
}

/** Requests to the other sides of outcomes. */
export function Confirmations({ id, version }: RequestsProps) {
  const texts = t(catalogue);
  const read = useQuery(
    (signal) => get('GET /confirmations', { query: { userId: id, limit: LIMIT } }, signal),
    [id, version],
  );
  return (
    <section class="panel">
      <h2>{texts.confirmations}</h2>
      <Query
        of={read}
        height={80}
        isEmpty={({ confirmations }) => confirmations.length === 0}
        empty={<p>{texts.noConfirmations}</p>}
      >
        {({ confirmations }) => (
          <ul class="entries">
            {confirmations.map(({ id: requestId, status, counterpartyRef, description, expiresAt }) => (
              <li key={requestId}>
                {t(requestStatuses)[status]} · <bdi>{counterpartyRef}</bdi>
                {status === 'PENDING' && (
                  <span class="soft">
                    {' '}
                    {texts.expires} <Moment at={expiresAt} distance />
                  </span>
                )}
                <div class="soft" dir="auto">
                  {description}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Query>
    </section>
  );
}
