import { type AnswerOf, get } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { wordsFor } from '../../kit/enumTexts.ts';
import { formatDay, formatNumber, formatPercent } from '../../kit/format.ts';
import { Band, Details, Moment } from '../../kit/parts.tsx';
import { Query, useGet, useQuery } from '../../kit/Query.tsx';
import { may, mode } from '../../kit/session.ts';
import { ProofCheck } from './Proof.tsx';
import { texts } from './texts.ts';

export type Outcome = AnswerOf<'GET /events/{id}'>;
type ScoreChange = NonNullable<AnswerOf<'GET /users/{id}/timeline'>['items'][number]['score']>;

interface OutcomeDialogProps {
  eventId: string;
  /** What is known of it already. Else it is asked for. */
  known?: Outcome | undefined;
  onClose: () => void;
}

/** Everything on record about an outcome. */
export function OutcomeDialog({ eventId, known, onClose }: OutcomeDialogProps) {
  const read = useQuery(
    async (signal) => known ?? (await get('GET /events/{id}', { params: { id: eventId } }, signal)),
    [eventId],
  );
  return (
    <Dialog title={texts.eventType} onClose={onClose}>
      <Query of={read} height={360}>
        {(outcome) => <OutcomeDetails of={outcome} />}
      </Query>
    </Dialog>
  );
}

function OutcomeDetails({ of }: { of: Outcome }) {
  const { completedAt, dueDate, metadata } = of;
  const isOnTime = completedAt && dueDate && completedAt <= dueDate;
  return (
    <>
      <Details
        of={[
          [texts.what, wordsFor('eventType', of.eventType)],
          [texts.stake, wordsFor('stakeLevel', of.stakeLevel)],
          [texts.value, of.transactionValue === null ? '–' : formatNumber(of.transactionValue, 2)],
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
      <h3>{texts.receipt}</h3>
      {!may('events', 'read') ? (
        <p class="soft">{texts.noReceiptScope}</p>
      ) : mode.value === 'live' ? (
        <ProofCheck
          call={{ method: 'GET', path: `/events/${of.id}/receipt` }}
          lead={texts.receiptLead}
          good={texts.receiptGood}
          fileName={`${of.id}.receipt.json`}
        />
      ) : (
        <p class="soft">{texts.noTestReceipt}</p>
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

/** Why a score was computed. Null: for new outcomes. */
export function causeOf(reason: string | null): string {
  const { events, ...others } = texts.causes;
  return reason === null ? events : ((others as Readonly<Record<string, string>>)[reason] ?? reason);
}

/** A change of the score, as it was published. */
export function ScoreDialog({ of, onClose }: { of: ScoreChange; onClose: () => void }) {
  const { previousScore, finalScore } = of;
  const to = formatNumber(finalScore, 2);
  return (
    <Dialog
      title={
        previousScore === null ? texts.firstScore(to) : texts.scoreMoved(formatNumber(previousScore, 2), to)
      }
      onClose={onClose}
    >
      <Details
        of={[
          [texts.band, <Band band={of.scoreBand} />],
          [texts.computed, <Moment at={of.computedAt} />],
          [texts.causedBy, causeOf(of.reason)],
          [texts.confidence, formatPercent(of.confidence)],
          [texts.quality, formatNumber(of.behavioralQuality, 2)],
          [texts.outcomes, formatNumber(of.totalEvents)],
          [texts.verified, formatNumber(of.verifiedEvents)],
          [texts.formula, of.formulaVersion],
        ]}
      />
    </Dialog>
  );
}
