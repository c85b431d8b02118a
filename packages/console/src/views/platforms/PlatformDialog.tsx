import { requestOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { Failure } from '../../kit/Query.tsx';
import { navigate } from '../../kit/router.ts';
import { Select } from '../../kit/Select.tsx';
import { type Mode, view } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAct.ts';
import { type PlatformRow, plans, trustTiers } from './platformRow.ts';
import { texts as catalogue } from './texts.ts';

/** Looks at a platform, or changes its plan and limits. */
export function PlatformDialog({ of: platform, onClose }: { of: PlatformRow; onClose: () => void }) {
  const texts = t(catalogue);
  const act = useAct();

  function look(mode: Mode): void {
    view({ id: platform.id, name: platform.name, mode });
    navigate('/');
  }

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const numberIn = (name: string) => (form.get(name) === '' ? null : Number(form.get(name)));
    const body = {
      name: form.get('name'),
      plan: form.get('plan'),
      trustTier: form.get('trustTier'),
      isActive: form.has('isActive'),
      velocityExempt: form.has('velocityExempt'),
      rateLimitPerMinute: numberIn('rateLimitPerMinute'),
      monthlyQuota: numberIn('monthlyQuota'),
    };
    const answer = await act.run(
      requestOf('PATCH /admin/platforms/{id}', { params: { id: platform.id }, body }),
    );
    if (!answer) return;
    toast(texts.saved);
    onClose();
  }

  return (
    <Dialog title={platform.name} onClose={onClose}>
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
      <form class="form" onSubmit={save}>
        <label>
          {texts.name}
          <input name="name" required maxLength={255} autocomplete="off" value={platform.name} dir="auto" />
        </label>
        <Select name="plan" label={texts.plan} options={plans} chosen={platform.plan} />
        <Select
          name="trustTier"
          label={texts.tier}
          options={trustTiers}
          chosen={platform.trustTier}
          hint={texts.tierNote}
        />
        <Limit
          name="rateLimitPerMinute"
          label={texts.rateLimit}
          hint={texts.rateLimitHint}
          value={platform.rateLimitPerMinute}
        />
        <Limit name="monthlyQuota" label={texts.quota} hint={texts.quotaHint} value={platform.monthlyQuota} />
        <Check name="isActive" label={texts.isActive} isSet={platform.isActive} />
        <Check name="velocityExempt" label={texts.velocityExempt} isSet={platform.velocityExempt} />
        {act.failure && <Failure of={act.failure} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={act.isBusy}>
            {texts.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Limit({
  name,
  label,
  hint,
  value,
}: {
  name: string;
  label: string;
  hint: string;
  value: number | null;
}) {
  return (
    <label>
      {label}
      <input name={name} type="number" min={0} step={1} value={value ?? ''} />
      <small class="soft">{hint}</small>
    </label>
  );
}

function Check({ name, label, isSet }: { name: string; label: string; isSet: boolean }) {
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={isSet} />
      {label}
    </label>
  );
}
