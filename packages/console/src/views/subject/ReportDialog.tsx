import { requestOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { kitTexts } from '../../kit/kitTexts.ts';
import { Failure } from '../../kit/Query.tsx';
import { t } from '../../kit/texts.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAct.ts';
import { dateIn, fieldIn, OutcomeFields } from './OutcomeFields.tsx';
import { texts as catalogue } from './texts.ts';

interface ReportDialogProps {
  id: string;
  onClose: () => void;
  onReported: () => void;
}

/** Reports an outcome. A second press after an error repeats the same request. */
export function ReportDialog({ id, onClose, onReported }: ReportDialogProps) {
  const texts = t(catalogue);
  const report = useAct();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const verifiedBy = fieldIn(data, 'verifiedBy');
    const body = {
      userId: id,
      eventType: fieldIn(data, 'eventType'),
      stakeLevel: fieldIn(data, 'stakeLevel'),
      completedAt: dateIn(data, 'completedAt'),
      dueDate: dateIn(data, 'dueDate'),
      ...(verifiedBy !== undefined && { isVerified: true, verifiedBy }),
    };
    if (!(await report.run(requestOf('POST /events', { body })))) return;
    toast(texts.reported);
    onReported();
    onClose();
  };
  return (
    <Dialog title={texts.report} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <OutcomeFields />
        <label>
          {texts.verifiedBy}
          <input
            name="verifiedBy"
            maxLength={255}
            dir="auto"
            aria-describedby="verified-by-hint"
            autocomplete="off"
          />
          <small id="verified-by-hint" class="soft">
            {texts.verifiedByHint}
          </small>
        </label>
        {report.failure && <Failure of={report.failure} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={report.isBusy}>
            {texts.send}
          </button>
          <button type="button" onClick={onClose}>
            {t(kitTexts).cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
