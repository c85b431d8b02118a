import type { AnswerOf } from './api.ts';
import { wordsFor } from './enumTexts.ts';
import { formatDay, formatNumber } from './format.ts';
import { outcomeTexts as texts } from './outcomeTexts.ts';
import { Details, Moment } from './parts.tsx';
import { useGet } from './Query.tsx';
import { may } from './session.ts';

export type Outcome = AnswerOf<'GET /events/{id}'>;

/** Everything on record about an outcome. */
export function OutcomeDetails({ of }: { of: Outcome }) {
  const { completedAt, dueDate, metadata } = of;
  const isOnTime = completedAt && dueDate && completedAt <= dueDate;
  return (
    <>
      <Details
        of={[
          [texts.eventType, wordsFor('eventType', of.eventType)],
          [texts.stake, wordsFor('stakeLevel', of.stakeLevel)],
          [texts.worth, of.transactionValue === null ? '–' : formatNumber(of.transactionValue, 2)],
          [
            texts.completedAt,
            completedAt ? (
              <>
                {formatDay(completedAt)}{' '}
                {dueDate && (
                  <span class={isOnTime ? 'good' : 'bad'}>{isOnTime ? texts.onTime : texts.late}</span>
                )}
              </>
            ) : (
              '–'
            ),
          ],
          [texts.dueDate, dueDate ? formatDay(dueDate) : '–'],
          [texts.recordedAt, <Moment at={of.createdAt} />],
          [texts.reportedBy, <Reporter of={of} />],
          [texts.verifiedBy, confirmerOf(of)],
          [texts.outcomeId, <code>{of.id}</code>],
        ]}
      />
      {metadata && (
        <>
          <h3>{texts.metadata}</h3>
          <pre class="code" dir="auto" tabIndex={0}>
            {JSON.stringify(metadata, null, 2)}
          </pre>
        </>
      )}
    </>
  );
}

/** The key by its name, where the session may read keys. */
function Reporter({ of: { reportedBy, autoImported } }: { of: Outcome }) {
  const keys = useGet('GET /platform/keys', {}, { isEnabled: reportedBy !== null && may('admin', 'read') });
  if (reportedBy === null) return <>{texts.byService}</>;
  const key = keys.data?.keys.find(({ id }) => id === reportedBy);
  return (
    <>
      {key && texts.key} {key?.label && <strong>{key.label}</strong>}{' '}
      <code title={reportedBy}>…{reportedBy.slice(-6)}</code>
      {autoImported && <span class="soft"> · {texts.imported}</span>}
    </>
  );
}

function confirmerOf({ attester, isVerified }: Outcome) {
  if (attester !== null) return <span class="good">{attester}</span>;
  if (isVerified) return texts.byYourWord;
  return <span class="warn">{texts.byNobody}</span>;
}
