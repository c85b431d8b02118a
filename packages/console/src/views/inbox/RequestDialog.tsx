import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { ConfirmButton } from '../../kit/Confirm.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { wordsFor } from '../../kit/enumTexts.ts';
import { Details, Moment, SubjectLink } from '../../kit/parts.tsx';
import { mayAsk } from '../../kit/session.ts';
import { texts } from './texts.ts';

export type Confirmation = AnswerOf<'GET /confirmations'>['confirmations'][number];
export type Reference = AnswerOf<'GET /references'>['references'][number];

interface RequestDialogProps {
  of: Confirmation | Reference;
  onClose: () => void;
  onChanged: () => void;
}

/** One request in full. A waiting one can be withdrawn. */
export function RequestDialog({ of: request, onClose, onChanged }: RequestDialogProps) {
  const { id, status, counterpartyRef, counterpartyName, respondedAt, answer } = request;
  const cancel = 'claim' in request ? 'POST /references/{id}/cancel' : 'POST /confirmations/{id}/cancel';
  return (
    <Dialog title={wordsFor('requestStatus', status)} onClose={onClose}>
      <Details
        of={[
          [texts.subject, <SubjectLink id={request.userId} />],
          'claim' in request && [
            texts.claim,
            [request.claim.title, request.claim.organization].filter(Boolean).join(', '),
          ],
          'eventType' in request && [texts.event, wordsFor('eventType', request.eventType)],
          'description' in request && [texts.description, request.description],
          [
            texts.counterparty,
            <>
              {counterpartyName && `${counterpartyName} · `}
              <code>{counterpartyRef}</code>
            </>,
          ],
          [texts.asked, <Moment at={request.createdAt} />],
          [texts.ends, <Moment at={request.expiresAt} />],
          respondedAt && [texts.answered, <Moment at={respondedAt} />],
          answer && [
            texts.answeredBy,
            <>
              {[wordsFor('answerChannel', answer.channel), answer.network, answer.browserFamily]
                .filter(Boolean)
                .join(' · ')}
              {answer.answeredByAsker && <span class="warn"> {texts.byAsker}</span>}
            </>,
          ],
          [texts.id, <code>{id}</code>],
        ]}
      />
      {status === 'PENDING' && mayAsk.value && (
        <div class="actions">
          <ConfirmButton
            text={texts.cancel}
            title={texts.cancelSure(counterpartyName ?? counterpartyRef)}
            submit={texts.cancel}
            lost={[texts.cancelLost, texts.cancelKept]}
            call={() => requestOf(cancel, { params: { id } })}
            doneText={() => texts.cancelled}
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
