import { requestOf } from '../../kit/api.ts';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { Field, FormDialog } from '../../kit/form.tsx';
import { kitTexts } from '../../kit/kitTexts.ts';
import { MessageToCopy } from '../../kit/MessageToCopy.tsx';
import { OutcomeFields, outcomeIn } from './OutcomeFields.tsx';
import { texts } from './texts.ts';

interface AskDialogProps {
  id: string;
  onClose: () => void;
  onAsked: () => void;
}

/** Makes a request for the other side of an outcome, and shows the link for it once. */
export function AskDialog({ id, onClose, onAsked }: AskDialogProps) {
  return (
    <FormDialog
      title={texts.ask}
      submit={texts.askSend}
      call={(given) => {
        const fields = ['description', 'counterpartyRef', 'counterpartyName'];
        const about = Object.fromEntries(fields.map((name) => [name, given.text(name)]));
        return requestOf('POST /confirmations', { body: { userId: id, ...outcomeIn(given), ...about } });
      }}
      onDone={onAsked}
      onClose={onClose}
      once={({ confirmUrl, confirmation }) => (
        <>
          <p>{texts.askDone}</p>
          <p class="code">{confirmUrl}</p>
          <CopyButton text={confirmUrl} />
          <MessageToCopy
            name={confirmation.counterpartyName}
            description={confirmation.description}
            expiresAt={confirmation.expiresAt}
            url={confirmUrl}
          />
          <div class="actions">
            <button type="button" onClick={onClose}>
              {kitTexts.close}
            </button>
          </div>
        </>
      )}
    >
      <OutcomeFields />
      <label>
        {texts.description}
        <textarea name="description" rows={2} required maxLength={1000} dir="auto" />
      </label>
      <Field name="counterpartyRef" label={texts.counterparty} required maxLength={255} />
      <Field name="counterpartyName" label={texts.counterpartyName} maxLength={255} />
    </FormDialog>
  );
}
