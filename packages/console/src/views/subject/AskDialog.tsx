import { requestOf, send } from '../../kit/api.ts';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { kitTexts } from '../../kit/kitTexts.ts';
import { MessageToCopy } from '../../kit/MessageToCopy.tsx';
import { Failure } from '../../kit/Query.tsx';
import { t } from '../../kit/texts.ts';
import { useAction } from '../../kit/useAction.ts';
import { dateIn, fieldIn, OutcomeFields } from './OutcomeFields.tsx';
import { texts as catalogue } from './texts.ts';

interface AskDialogProps {
  id: string;
  onClose: () => void;
  onAsked: () => void;
}

/** Makes a request for the other side of an outcome, and shows the link for it once. */
export function AskDialog({ id, onClose, onAsked }: AskDialogProps) {
  const texts = t(catalogue);
  const ask = useAction(async (body: object) => {
    const made = await send(requestOf('POST /confirmations', { body }));
    onAsked();
    return made;
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    void ask.run({
      userId: id,
      eventType: fieldIn(data, 'eventType'),
      stakeLevel: fieldIn(data, 'stakeLevel'),
      completedAt: dateIn(data, 'completedAt'),
      dueDate: dateIn(data, 'dueDate'),
      description: fieldIn(data, 'description'),
      counterpartyRef: fieldIn(data, 'counterpartyRef'),
      counterpartyName: fieldIn(data, 'counterpartyName'),
    });
  };
  return (
    <Dialog title={texts.ask} onClose={onClose} isShownOnce={!!ask.result}>
      {ask.result ? (
        <>
          <p>{texts.askDone}</p>
          <p class="code">{ask.result.confirmUrl}</p>
          <CopyButton text={ask.result.confirmUrl} />
          <MessageToCopy
            name={ask.result.confirmation.counterpartyName}
            description={ask.result.confirmation.description}
            expiresAt={ask.result.confirmation.expiresAt}
            url={ask.result.confirmUrl}
          />
          <div class="actions">
            <button type="button" onClick={onClose}>
              {t(kitTexts).close}
            </button>
          </div>
        </>
      ) : (
        <form class="form" onSubmit={submit}>
          <OutcomeFields />
          <label>
            {texts.description}
            <textarea name="description" rows={2} required maxLength={1000} dir="auto" />
          </label>
          <label>
            {texts.counterparty}
            <input name="counterpartyRef" required maxLength={255} dir="auto" autocomplete="off" />
          </label>
          <label>
            {texts.counterpartyName}
            <input name="counterpartyName" maxLength={255} dir="auto" autocomplete="off" />
          </label>
          {ask.failure && <Failure of={ask.failure} />}
          <div class="actions">
            <button type="submit" class="primary" disabled={ask.isBusy}>
              {texts.askSend}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
