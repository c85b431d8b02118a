import { requestOf } from '../../kit/api.ts';
import { Field, FormDialog } from '../../kit/form.tsx';
import { OutcomeFields, outcomeIn } from './OutcomeFields.tsx';
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
