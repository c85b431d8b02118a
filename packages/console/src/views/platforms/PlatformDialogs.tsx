import { useSignal } from '@preact/signals';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Button, CopyButton } from '../../kit/Button.tsx';
import { ConfirmDialog } from '../../kit/Confirm.tsx';
import { valuesOf, wordsFor } from '../../kit/enumTexts.ts';
import { Check, Field, FormDialog, Select } from '../../kit/form.tsx';
import { navigate } from '../../kit/router.ts';
import { type Mode, mayOperate, view } from '../../kit/session.ts';
import { texts } from './texts.ts';

/** Creates a platform and shows its two keys once. */
export function CreatePlatform({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title={texts.create}
      submit={texts.create}
      call={(given) => requestOf('POST /admin/platforms', { body: Object.fromEntries(given) })}
      onceTitle={texts.made}
      once={({ keys: { live, test } }) => (
        <>
          <p>{texts.once}</p>
          {[
            { name: texts.liveKey, key: live.key },
            { name: texts.testKey, key: test.key },
          ].map(({ name, key }) => (
            <div key={name}>
              <h3>{name}</h3>
              <pre class="code">{key}</pre>
              <CopyButton text={key} />
            </div>
          ))}
          <p class="actions">
            <Button text={texts.done} class="primary" onClick={onClose} />
          </p>
        </>
      )}
      onClose={onClose}
    >
      <Field name="name" label={texts.name} required maxLength={255} />
      <PlanFields plan="starter" trustTier="STARTER" />
    </FormDialog>
  );
}

interface PlatformDialogProps {
  of: AnswerOf<'GET /admin/platforms'>['platforms'][number];
  onClose: () => void;
}

const LIMIT = { type: 'number', min: 0, step: 1 } as const;

/** Looks at a platform, or changes its plan and limits. Asks before it is switched off. */
export function PlatformDialog({ of: platform, onClose }: PlatformDialogProps) {
  const { id, name, plan, trustTier, rateLimitPerMinute, monthlyQuota } = platform;
  const switchedOff = useSignal<object | null>(null);
  const change = (body: object) => requestOf('PATCH /admin/platforms/{id}', { params: { id }, body });
  const look = (mode: Mode) => {
    view({ id, name, mode });
    navigate('/');
  };
  if (switchedOff.value)
    return (
      <ConfirmDialog
        title={texts.switchOffSure(name)}
        submit={texts.switchOff}
        lost={[texts.switchOffKeys, texts.switchOffOthers, texts.switchOffKept]}
        call={() => change(switchedOff.value ?? {})}
        doneText={() => texts.saved}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={name}
      submit={mayOperate.value ? texts.save : null}
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
        if (!platform.isActive || body.isActive) return change(body);
        switchedOff.value = body;
        return '';
      }}
      doneText={() => texts.saved}
      onClose={onClose}
    >
      <p class="soft">{texts.viewNote}</p>
      <div class="actions">
        <Button text={texts.viewLive} onClick={() => look('live')} />
        <Button text={texts.viewTest} onClick={() => look('test')} />
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

interface PlanFieldsProps {
  plan: string;
  trustTier: string;
  tierHint?: string;
}

/** What a platform may call, and how much its reports count. */
function PlanFields({ plan, trustTier, tierHint }: PlanFieldsProps) {
  return (
    <>
      <Select
        name="plan"
        label={texts.plan}
        of={valuesOf('planTier')}
        textOf={(each) => wordsFor('planTier', each)}
        chosen={plan}
      />
      <Select
        name="trustTier"
        label={texts.tier}
        of={valuesOf('platformTier')}
        textOf={(each) => wordsFor('platformTier', each)}
        chosen={trustTier}
        hint={tierHint}
      />
    </>
  );
}
