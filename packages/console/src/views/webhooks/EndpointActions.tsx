import { useSignal } from '@preact/signals';
import { requestOf } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { ConfirmButton } from '../../kit/Confirm.tsx';
import { Field, FormDialog } from '../../kit/form.tsx';
import { kitTexts } from '../../kit/kitTexts.ts';
import { Failure } from '../../kit/Query.tsx';
import { setQuery } from '../../kit/router.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAction.ts';
import { type Endpoint, SecretOnce } from './EndpointParts.tsx';
import { texts } from './texts.ts';

interface EndpointActionsProps {
  endpoint: Endpoint;
  onChanged: () => void;
}

/** Test, recover, rotate, pause and delete. What cannot be taken back asks first. */
export function EndpointActions({ endpoint, onChanged }: EndpointActionsProps) {
  const params = { id: endpoint.id };
  const asked = useSignal<'rotate' | 'recover' | null>(null);
  const act = useAct();
  const onClose = () => (asked.value = null);
  const test = () =>
    act.run(requestOf('POST /webhooks/{id}/test', { params, body: {} }), ({ id, status }) => {
      toast(texts.tested(texts[status]));
      onChanged();
      setQuery({ delivery: id });
    });
  const toggle = () =>
    act.run(requestOf('PATCH /webhooks/{id}', { params, body: { isActive: !endpoint.isActive } }), onChanged);
  return (
    <>
      <div class="actions endpoint-actions">
        <Button text={texts.test} class="primary" disabled={act.isBusy} onClick={test} />
        <Button
          text={texts.recover}
          onClick={() => (asked.value = 'recover')}
          disabled={!endpoint.isActive}
        />
        <Button text={texts.rotate} onClick={() => (asked.value = 'rotate')} />
        <Button
          text={endpoint.isActive ? kitTexts.pause : kitTexts.activate}
          disabled={act.isBusy}
          onClick={toggle}
        />
        <ConfirmButton
          text={kitTexts.delete}
          title={texts.deleteOf(endpoint.url)}
          submit={kitTexts.delete}
          lost={[texts.deleteLost, texts.deleteLog, texts.pauseInstead]}
          call={() => requestOf('DELETE /webhooks/{id}', { params })}
          onDone={() => setQuery({ endpoint: null })}
        />
      </div>
      {act.failure && <Failure of={act.failure} />}
      {asked.value === 'rotate' && (
        <FormDialog
          title={texts.rotate}
          submit={texts.rotate}
          call={() => requestOf('POST /webhooks/{id}/rotate-secret', { params })}
          once={(made) => <SecretOnce secret={made.secret} previousEndsAt={made.previousSecretExpiresAt} />}
          onClose={onClose}
        >
          <p>{texts.rotateNote}</p>
        </FormDialog>
      )}
      {asked.value === 'recover' && (
        <FormDialog
          title={texts.recover}
          submit={texts.recover}
          call={(given) => {
            const body = { since: new Date(given.text('since') ?? '').toISOString() };
            return requestOf('POST /webhooks/{id}/recover', { params, body });
          }}
          doneText={({ hasMore, recovered }) =>
            hasMore ? texts.recoveredMore(recovered) : texts.recovered(recovered)
          }
          onDone={onChanged}
          onClose={onClose}
        >
          <p>{texts.recoverNote}</p>
          <Field name="since" label={texts.since} type="datetime-local" required defaultValue={yesterday()} />
        </FormDialog>
      )}
    </>
  );
}

/** In the zone of the reader, as the field takes it. */
function yesterday(): string {
  const at = new Date(Date.now() - 86_400_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
