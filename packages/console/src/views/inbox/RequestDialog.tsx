import { requestOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { Link } from '../../kit/Link.tsx';
import { Moment } from '../../kit/Moment.tsx';
import { Pair } from '../../kit/Pair.tsx';
import { Failure } from '../../kit/Query.tsx';
import { pathTo } from '../../kit/router.ts';
import { isReadOnly } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAct.ts';
import type { Confirmation, Reference, RequestKind } from './requestRow.ts';
import { texts as catalogue } from './texts.ts';

interface RequestDialogProps {
  kind: RequestKind;
  of: Confirmation | Reference;
  onClose: () => void;
  onChanged: () => void;
}

/** One request in full. A waiting one can be withdrawn. */
export function RequestDialog({ kind, of: request, onClose, onChanged }: RequestDialogProps) {
  const texts = t(catalogue);
  const act = useAct();
  const { id, userId, counterpartyRef, counterpartyName, createdAt, expiresAt, respondedAt, answer } =
    request;

  async function cancel(): Promise<void> {
    const name =
      kind === 'confirmations' ? 'POST /confirmations/{id}/cancel' : 'POST /references/{id}/cancel';
    if (!(await act.run(requestOf(name, { params: { id } })))) return;
    toast(texts.cancelled);
    onChanged();
    onClose();
  }

  return (
    <Dialog title={texts.statuses[request.status]} onClose={onClose}>
      <dl class="pairs">
        <Pair name={texts.subject}>
          <Link to={pathTo('/subject/{id}', { id: userId })}>{userId}</Link>
        </Pair>
        {'claim' in request ? (
          <Pair name={texts.claim}>
            {[request.claim.title, request.claim.organization].filter(Boolean).join(', ')}
          </Pair>
        ) : (
          <>
            <Pair name={texts.event}>
              <code>{request.eventType}</code>
            </Pair>
            <Pair name={texts.description}>{request.description}</Pair>
          </>
        )}
        <Pair name={texts.counterparty}>
          {counterpartyName && `${counterpartyName} · `}
          <code>{counterpartyRef}</code>
        </Pair>
        <Pair name={texts.asked}>
          <Moment at={createdAt} />
        </Pair>
        <Pair name={texts.ends}>
          <Moment at={expiresAt} />
        </Pair>
        {respondedAt && (
          <Pair name={texts.answered}>
            <Moment at={respondedAt} />
          </Pair>
        )}
        {answer && (
          <Pair name={texts.answeredBy}>
            {[answer.channel, answer.network, answer.browserFamily].filter(Boolean).join(' · ')}
            {answer.answeredByAsker && <span class="warn"> {texts.byAsker}</span>}
          </Pair>
        )}
        <Pair name={texts.id}>
          <code>{id}</code>
        </Pair>
      </dl>
      {act.failure && <Failure of={act.failure} />}
      {request.status === 'PENDING' && !isReadOnly.value && (
        <div class="actions">
          <button type="button" class="danger" disabled={act.isBusy} onClick={cancel}>
            {texts.cancel}
          </button>
        </div>
      )}
    </Dialog>
  );
}
