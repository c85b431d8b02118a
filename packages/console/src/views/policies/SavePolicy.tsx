import { requestOf } from '../../kit/api.ts';
import { wordsFor } from '../../kit/enumTexts.ts';
import { Field, FormDialog } from '../../kit/form.tsx';
import { formatNumber } from '../../kit/format.ts';
import { texts } from './texts.ts';
import type { Tried } from './tried.ts';

interface SavePolicyProps {
  tried: Tried;
  onSaved: () => void;
  onClose: () => void;
}

/** Saves the threshold that was tried. */
export function SavePolicy({ tried: { threshold, direction }, onSaved, onClose }: SavePolicyProps) {
  const condition = { metric: 'score', direction, threshold };
  return (
    <FormDialog
      title={texts.save}
      submit={texts.save}
      call={(given) =>
        requestOf('POST /policies', {
          body: { name: given.text('name'), condition, userId: given.text('userId') },
        })
      }
      doneText={() => texts.saved}
      onDone={onSaved}
      onClose={onClose}
    >
      <p>
        {wordsFor('policyMetric', 'score')} {texts[direction]} <strong>{formatNumber(threshold)}</strong>
      </p>
      <Field name="name" label={texts.name} required maxLength={255} />
      <Field name="userId" label={texts.forOne} maxLength={255} placeholder={texts.forAll} />
    </FormDialog>
  );
}
