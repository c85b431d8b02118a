import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Check, Field, FormDialog } from '../../kit/form.tsx';
import { navigate } from '../../kit/router.ts';
import { type Mode, view } from '../../kit/session.ts';
import { PlanFields } from './PlanFields.tsx';
import { texts } from './texts.ts';

interface PlatformDialogProps {
  of: AnswerOf<'GET /admin/platforms'>['platforms'][number];
  onClose: () => void;
}

const LIMIT = { type: 'number', min: 0, step: 1 } as const;

/** Looks at a platform, or changes its plan and limits. */
export function PlatformDialog({ of: platform, onClose }: PlatformDialogProps) {
  const { id, name, plan, trustTier, rateLimitPerMinute, monthlyQuota } = platform;
  const look = (mode: Mode) => {
    view({ id, name, mode });
    navigate('/');
  };
  return (
    <FormDialog
      title={name}
      submit={texts.save}
      call={(given) => {
        const body = {
          name: given.text('name'),
          plan: given.text('plan'),
          trustTier: given.text('trustTier'),
          isActive: given.has('isActive'),
          velocityExempt: given.has('velocityExempt'),
          rateLimitPerMinute: given.number('rateLimitPerMinute'),
          monthlyQuota: given.number('monthlyQuota'),
        };
        return requestOf('PATCH /admin/platforms/{id}', { params: { id }, body });
      }}
      doneText={() => texts.saved}
      onClose={onClose}
    >
      <p class="soft">{texts.viewNote}</p>
      <div class="actions">
        <button type="button" onClick={() => look('live')}>
          {texts.viewLive}
        </button>
        <button type="button" onClick={() => look('test')}>
          {texts.viewTest}
        </button>
      </div>
      <h3>{texts.settings}</h3>
      <Field name="name" label={texts.name} required maxLength={255} defaultValue={name} />
      <PlanFields plan={plan} trustTier={trustTier} tierHint={texts.tierNote} />
      <Field
        name="rateLimitPerMinute"
        label={texts.rateLimit}
        hint={texts.limitHint}
        defaultValue={rateLimitPerMinute ?? ''}
        {...LIMIT}
      />
      <Field
        name="monthlyQuota"
        label={texts.quota}
        hint={texts.limitHint}
        defaultValue={monthlyQuota ?? ''}
        {...LIMIT}
      />
      <Check name="isActive" label={texts.isActive} defaultChecked={platform.isActive} />
      <Check name="velocityExempt" label={texts.velocityExempt} defaultChecked={platform.velocityExempt} />
    </FormDialog>
  );
}
