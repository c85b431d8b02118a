import { useSignal } from '@preact/signals';
import { requestOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { Failure } from '../../kit/Query.tsx';
import { setQuery } from '../../kit/router.ts';
import { t } from '../../kit/texts.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAct.ts';
import type { Endpoint } from './EndpointState.tsx';
import { SecretOnce } from './SecretOnce.tsx';
import { texts as catalogue } from './texts.ts';

interface EndpointActionsProps {
  endpoint: Endpoint;
  onChanged: () => void;
}

type Asked = 'rotate' | 'recover' | 'delete';

/** Test, recover, rotate, pause and delete. What cannot be taken back asks first. */
export function EndpointActions({ endpoint, onChanged }: EndpointActionsProps) {
  const texts = t(catalogue);
  const params = { id: endpoint.id };
  const asked = useSignal<Asked | null>(null);
  const act = useAct();
  const rotated = useSignal<{ secret: string; previousSecretExpiresAt: string } | null>(null);
  const close = () => {
    asked.value = null;
    rotated.value = null;
  };
  const test = async () => {
    const delivery = await act.run(requestOf('POST /webhooks/{id}/test', { params, body: {} }));
    if (!delivery) return;
    toast(texts.tested(texts[delivery.status]));
    onChanged();
    setQuery({ delivery: delivery.id });
  };
  const toggle = async () => {
    const body = { isActive: !endpoint.isActive };
    if (await act.run(requestOf('PATCH /webhooks/{id}', { params, body }))) onChanged();
  };
  const rotate = async () => {
    rotated.value = await act.run(requestOf('POST /webhooks/{id}/rotate-secret', { params }));
  };
  const recover = async (since: string) => {
    const body = { since: new Date(since).toISOString() };
    const answer = await act.run(requestOf('POST /webhooks/{id}/recover', { params, body }));
    if (!answer) return;
    toast(answer.hasMore ? texts.recoveredMore(answer.recovered) : texts.recovered(answer.recovered));
    onChanged();
    close();
  };
  const remove = async () => {
    const answer = await act.run(requestOf('DELETE /webhooks/{id}', { params }));
    if (answer !== null) setQuery({ endpoint: null });
  };
  return (
    <>
      <div class="actions endpoint-actions">
        <button type="button" class="primary" disabled={act.isBusy} onClick={test}>
          {texts.test}
        </button>
        <button type="button" onClick={() => (asked.value = 'recover')} disabled={!endpoint.isActive}>
          {texts.recover}
        </button>
        <button type="button" onClick={() => (asked.value = 'rotate')}>
          {texts.rotate}
        </button>
        <button type="button" disabled={act.isBusy} onClick={toggle}>
          {endpoint.isActive ? texts.pause : texts.activate}
        </button>
        <button type="button" class="danger" onClick={() => (asked.value = 'delete')}>
          {texts.delete}
        </button>
      </div>
      {act.failure && asked.value === null && <Failure of={act.failure} />}
      {asked.value && (
        <Dialog title={texts[asked.value]} onClose={close} isShownOnce={!!rotated.value}>
          {rotated.value ? (
            <SecretOnce
              secret={rotated.value.secret}
              previousEndsAt={rotated.value.previousSecretExpiresAt}
            />
          ) : (
            <form
              class="form"
              onSubmit={(event) => {
                event.preventDefault();
                const since = String(new FormData(event.currentTarget).get('since'));
                if (asked.value === 'rotate') void rotate();
                else if (asked.value === 'delete') void remove();
                else void recover(since);
              }}
            >
              <p>{texts[`${asked.value}Note`]}</p>
              {asked.value === 'recover' && (
                <label>
                  {texts.since}
                  <input name="since" type="datetime-local" required defaultValue={yesterday()} />
                </label>
              )}
              {act.failure && <Failure of={act.failure} />}
              <div class="actions">
                <button
                  type="submit"
                  class={asked.value === 'delete' ? 'danger' : 'primary'}
                  disabled={act.isBusy}
                >
                  {texts[asked.value]}
                </button>
                <button type="button" onClick={close}>
                  {texts.cancel}
                </button>
              </div>
            </form>
          )}
        </Dialog>
      )}
    </>
  );
}

/** In the zone of the reader, as the field takes it. */
function yesterday(): string {
  const at = new Date(Date.now() - 86_400_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
