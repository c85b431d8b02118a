import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { ConfirmButton } from '../../kit/Confirm.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { wordsFor } from '../../kit/enumTexts.ts';
import { formatPoints } from '../../kit/format.ts';
import { OutcomeDetails } from '../../kit/OutcomeDetails.tsx';
import { Details, Moment, SubjectLink } from '../../kit/parts.tsx';
import { Query, useGet } from '../../kit/Query.tsx';
import { ScoreStep } from '../../kit/ScoreStep.tsx';
import { may } from '../../kit/session.ts';
import { texts } from './texts.ts';

export type Dispute = AnswerOf<'GET /disputes'>['disputes'][number];
type Ends = AnswerOf<'GET /disputes/{id}/projection'>['ends'];

interface DisputeCaseProps {
  id: string;
  onClose: () => void;
  onChanged: () => void;
}

/** A dispute with all that is known about it, and what each of its ends would do to the score. */
export function DisputeCase({ id, onClose, onChanged }: DisputeCaseProps) {
  const params = { id };
  const dispute = useGet('GET /disputes/{id}', { params });
  const mayProject = may('scores', 'read');
  const projection = useGet('GET /disputes/{id}/projection', { params }, { isEnabled: mayProject });
  const isOpen = dispute.data?.status === 'OPEN';
  return (
    <Dialog title={texts.caseTitle} onClose={onClose}>
      <Query of={dispute} height={320}>
        {(shown) => <Facts of={shown} />}
      </Query>
      {isOpen && mayProject && (
        <>
          <h3>{texts.effect}</h3>
          <Query of={projection} height={110}>
            {({ ends }) => <EndList of={ends} />}
          </Query>
        </>
      )}
      {isOpen && may('events', 'write') && (
        <div class="actions">
          <ConfirmButton
            text={texts.resolve}
            title={texts.resolveSure(dispute.data?.userId ?? '')}
            submit={texts.resolve}
            lost={[
              ...(projection.data?.ends.slice(0, 1) ?? []).map((end) => (
                <>
                  {texts.itEnds} {texts.endsAs[end.outcome]}: <ScoreStep {...end} />
                </>
              )),
              texts.resolveNote,
              texts.resolveLost,
            ]}
            call={() => requestOf('POST /disputes/{id}/resolve', { params })}
            doneText={({ outcome }) => texts.resolved[outcome ?? 'FOR_USER']}
            onDone={() => {
              onChanged();
              onClose();
            }}
          />
        </div>
      )}
    </Dialog>
  );
}

function Facts({ of: dispute }: { of: Dispute }) {
  const { userId, displayName, event, reason, openedAt, respondBy, resolvedAt } = dispute;
  return (
    <>
      <Details
        of={[
          [
            texts.subject,
            <>
              {displayName} <SubjectLink id={userId} />
            </>,
          ],
          reason && [texts.reason, reason],
          [texts.opened, <Moment at={openedAt} />],
          resolvedAt
            ? [texts.outcome, <Deadline of={dispute} />]
            : [
                texts.deadline,
                <>
                  <Moment at={respondBy} />, <Deadline of={dispute} />
                </>,
              ],
        ]}
      />
      <h3>{texts.contested}</h3>
      <OutcomeDetails of={event} />
    </>
  );
}

/** Each end that is still possible, or one line if they are the same. */
function EndList({ of: ends }: { of: Ends }) {
  const isOne = new Set(ends.map(({ outcome }) => outcome)).size === 1;
  return (
    <>
      <ul class="entries">
        {(isOne ? ends.slice(0, 1) : ends).map((end) => (
          <li key={end.by}>
            {isOne ? texts.eitherWay : texts.endsBy[end.by]} <strong>{texts.endsAs[end.outcome]}</strong>
            <br />
            <ScoreStep {...end} />
          </li>
        ))}
      </ul>
      {ends.some(({ frozen }) => frozen) && <p class="note">{texts.frozen}</p>}
    </>
  );
}

export function worthOf({ transactionValue }: Dispute['event']): string | null {
  return transactionValue === null ? null : formatPoints(transactionValue);
}

/** When an open dispute ends by itself, else how it ended. */
export function Deadline({ of: { status, overdue, lapsed, respondBy } }: { of: Dispute }) {
  if (status !== 'OPEN')
    return (
      <span>
        {wordsFor('requestStatus', status)}
        {lapsed && <span class="soft"> {texts.lapsed}</span>}
      </span>
    );
  return (
    <span class={overdue ? 'bad' : 'warn'}>
      {overdue ? texts.overdue : texts.endsIn} <Moment at={respondBy} distance />
    </span>
  );
}
