import { type AnswerOf, get } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { formatNumber, formatPercent } from '../../kit/format.ts';
import { type Outcome, OutcomeDetails } from '../../kit/OutcomeDetails.tsx';
import { outcomeTexts } from '../../kit/outcomeTexts.ts';
import { Band, Details, Moment } from '../../kit/parts.tsx';
import { Query, useQuery } from '../../kit/Query.tsx';
import { may, mode } from '../../kit/session.ts';
import { ProofCheck } from './Proof.tsx';
import { texts } from './texts.ts';

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
    <Dialog title={outcomeTexts.eventType} onClose={onClose}>
      <Query of={read} height={360}>
        {(outcome) => (
          <>
            <OutcomeDetails of={outcome} />
            <h3>{texts.receipt}</h3>
            <Receipt of={outcome} />
          </>
        )}
      </Query>
    </Dialog>
  );
}

/** Live outcomes are in the log, and a receipt shows it. */
function Receipt({ of: { id } }: { of: Outcome }) {
  if (!may('events', 'read')) return <p class="soft">{texts.noReceiptScope}</p>;
  if (mode.value !== 'live') return <p class="soft">{texts.noTestReceipt}</p>;
  return (
    <ProofCheck
      call={{ method: 'GET', path: `/events/${id}/receipt` }}
      lead={texts.receiptLead}
      good={texts.receiptGood}
      fileName={`${id}.receipt.json`}
    />
  );
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
