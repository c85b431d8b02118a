import { requestOf } from '../../kit/api.ts';
import { wordsFor } from '../../kit/enumTexts.ts';
import { Check, Field, FormDialog } from '../../kit/form.tsx';
import { formatNumber } from '../../kit/format.ts';
import { texts } from './texts.ts';

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

interface AddMonitorProps {
  userId: string | null;
  onAdded: () => void;
  onClose: () => void;
}

const POINTS = { type: 'number', min: 0, max: 100, step: 0.01 } as const;

/** Watches one subject. */
export function AddMonitor({ userId, onAdded, onClose }: AddMonitorProps) {
  return (
    <FormDialog
      title={texts.addMonitor}
      submit={texts.addMonitor}
      call={(given) => {
        const body = {
          userId: given.text('userId'),
          belowScore: given.number('belowScore'),
          aboveScore: given.number('aboveScore'),
          onBandChange: given.has('onBandChange'),
        };
        return requestOf('POST /monitors', { body });
      }}
      onDone={onAdded}
      onClose={onClose}
    >
      <Field name="userId" label={texts.subject} required maxLength={255} defaultValue={userId ?? ''} />
      <Field name="belowScore" label={texts.belowScore} {...POINTS} />
      <Field name="aboveScore" label={texts.aboveScore} {...POINTS} />
      <Check name="onBandChange" label={texts.onBandChange} />
    </FormDialog>
  );
}

/** The condition on the score that is tried out. It is in the address. */
export interface Tried {
  threshold: number;
  direction: 'below' | 'above';
}
