import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { wordsFor } from '../../kit/enumTexts.ts';
import { FormDialog } from '../../kit/form.tsx';
import { Moment, Pair, SubjectLink } from '../../kit/parts.tsx';
import { isReadOnly } from '../../kit/session.ts';
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
    <FormDialog
      title={wordsFor('requestStatus', status)}
      submit={status === 'PENDING' && !isReadOnly.value ? texts.cancel : null}
      isDanger
      call={() => requestOf(cancel, { params: { id } })}
      doneText={() => texts.cancelled}
      onDone={onChanged}
      onClose={onClose}
    >
      <dl class="pairs">
        <Pair name={texts.subject}>
          <SubjectLink id={request.userId} />
        </Pair>
        {'claim' in request ? (
          <Pair name={texts.claim}>
            {[request.claim.title, request.claim.organization].filter(Boolean).join(', ')}
          </Pair>
        ) : (
          <>
            <Pair name={texts.event}>{wordsFor('eventType', request.eventType)}</Pair>
            <Pair name={texts.description}>{request.description}</Pair>
          </>
        )}
        <Pair name={texts.counterparty}>
          {counterpartyName && `${counterpartyName} · `}
          <code>{counterpartyRef}</code>
        </Pair>
        <Pair name={texts.asked}>
          <Moment at={request.createdAt} />
        </Pair>
        <Pair name={texts.ends}>
          <Moment at={request.expiresAt} />
        </Pair>
        {respondedAt && (
          <Pair name={texts.answered}>
            <Moment at={respondedAt} />
          </Pair>
        )}
        {answer && (
          <Pair name={texts.answeredBy}>
            {[wordsFor('answerChannel', answer.channel), answer.network, answer.browserFamily]
              .filter(Boolean)
              .join(' · ')}
            {answer.answeredByAsker && <span class="warn"> {texts.byAsker}</span>}
          </Pair>
        )}
        <Pair name={texts.id}>
          <code>{id}</code>
        </Pair>
      </dl>
    </FormDialog>
  );
}
