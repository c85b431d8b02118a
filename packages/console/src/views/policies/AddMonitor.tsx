import { requestOf } from '../../kit/api.ts';
import { Check, Field, FormDialog } from '../../kit/form.tsx';
import { texts } from './texts.ts';

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
