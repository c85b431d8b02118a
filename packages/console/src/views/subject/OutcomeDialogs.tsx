import { requestOf } from '../../kit/api.ts';
import { Button, CopyButton } from '../../kit/Button.tsx';
import { valuesOf, wordsFor } from '../../kit/enumTexts.ts';
import { Field, FormDialog, type Given, Select } from '../../kit/form.tsx';
import { kitTexts } from '../../kit/kitTexts.ts';
import { MessageToCopy } from '../../kit/MessageToCopy.tsx';
import { texts } from './texts.ts';

interface ReportDialogProps {
  id: string;
  onClose: () => void;
  onReported: () => void;
}

/** Reports an outcome. */
export function ReportDialog({ id, onClose, onReported }: ReportDialogProps) {
  return (
    <FormDialog
      title={texts.report}
      submit={texts.send}
      call={(given) => {
        const verifiedBy = given.text('verifiedBy');
        const verified = verifiedBy !== undefined && { isVerified: true, verifiedBy };
        return requestOf('POST /events', { body: { userId: id, ...outcomeIn(given), ...verified } });
      }}
      doneText={() => texts.reported}
      onDone={onReported}
      onClose={onClose}
    >
      <OutcomeFields />
      <Field name="verifiedBy" label={texts.verifiedBy} hint={texts.verifiedByHint} maxLength={255} />
    </FormDialog>
  );
}

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
            <Button text={kitTexts.close} onClick={onClose} />
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

const TYPES = valuesOf('eventType').slice(0, 6);

/** What an outcome is: for reports and for questions about one. */
function OutcomeFields() {
  return (
    <>
      <Select
        name="eventType"
        label={texts.eventType}
        of={TYPES}
        textOf={(type) => wordsFor('eventType', type)}
        chosen={TYPES[0]}
      />
      <div class="columns">
        <Select
          name="stakeLevel"
          label={texts.stake}
          of={valuesOf('stakeLevel')}
          textOf={(stake) => wordsFor('stakeLevel', stake)}
          chosen="MEDIUM"
        />
        <Field name="completedAt" label={texts.completedAt} type="date" />
        <Field name="dueDate" label={texts.dueDate} type="date" />
      </div>
    </>
  );
}

/** The fields as the API takes them. */
function outcomeIn(given: Given) {
  return {
    eventType: given.text('eventType'),
    stakeLevel: given.text('stakeLevel'),
    completedAt: given.day('completedAt'),
    dueDate: given.day('dueDate'),
  };
}
