import { wordsFor } from '../../kit/enumTexts.ts';
import { Link } from '../../kit/Link.tsx';
import { Moment, Panel, Rows } from '../../kit/parts.tsx';
import { useGet } from '../../kit/Query.tsx';
import { texts } from './texts.ts';

interface RequestsProps {
  id: string;
  version: number;
}

const LIMIT = 20;

/** Disputes about outcomes of the subject, with their clocks. */
export function Disputes({ id, version }: RequestsProps) {
  const read = useGet('GET /disputes', { query: { userId: id, limit: LIMIT } }, { version });
  return (
    <Panel title={texts.openDisputes}>
      <Rows of={read} rows={({ disputes }) => disputes} height={80} empty={<p>{texts.noDisputes}</p>}>
        {({ id: disputeId, status, respondBy, openedAt, event }) => (
          <>
            <Link to={`/inbox?of=disputes&dispute=${disputeId}`}>
              {wordsFor('eventType', event.eventType)}
            </Link>
            {' · '}
            {wordsFor('requestStatus', status)} · <Moment at={openedAt} />
            {status === 'OPEN' && (
              <span class="warn">
                {' '}
                {texts.respondBy} <Moment at={respondBy} distance />
              </span>
            )}
          </>
        )}
      </Rows>
    </Panel>
  );
}

/** Requests to the other sides of outcomes. */
export function Confirmations({ id, version }: RequestsProps) {
  const read = useGet('GET /confirmations', { query: { userId: id, limit: LIMIT } }, { version });
  return (
    <Panel title={texts.confirmations}>
      <Rows
        of={read}
        rows={({ confirmations }) => confirmations}
        height={80}
        empty={<p>{texts.noConfirmations}</p>}
      >
        {({ status, counterpartyRef, description, expiresAt }) => (
          <>
            {wordsFor('requestStatus', status)} · <bdi>{counterpartyRef}</bdi>
            {status === 'PENDING' && (
              <span class="soft">
                {' '}
                {texts.expires} <Moment at={expiresAt} distance />
              </span>
            )}
            <div class="soft" dir="auto">
              {description}
            </div>
          </>
        )}
      </Rows>
    </Panel>
  );
}

/** What the subject objects to on the page of its record link. */
export function Reviews({ id, version }: RequestsProps) {
  const read = useGet('GET /reviews', { query: { userId: id, limit: LIMIT } }, { version });
  return (
    <Panel title={texts.reviews}>
      <Rows of={read} rows={({ reviews }) => reviews} height={80} empty={<p>{texts.noReviews}</p>}>
        {({ id: reviewId, status, outcome, overdue, respondBy, text }) => (
          <>
            <Link to={`/inbox?of=reviews&review=${reviewId}`}>
              {outcome ? wordsFor('reviewOutcome', outcome) : wordsFor('requestStatus', status)}
            </Link>
            {status === 'OPEN' && (
              <span class={overdue ? 'bad' : 'warn'}>
                {' '}
                {overdue ? texts.wasDue : texts.answerDue} <Moment at={respondBy} distance />
              </span>
            )}
            <div class="soft" dir="auto">
              {text}
            </div>
          </>
        )}
      </Rows>
    </Panel>
  );
}
