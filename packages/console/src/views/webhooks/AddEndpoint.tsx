import { useSignal } from '@preact/signals';
import { get, requestOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { Failure, Skeleton } from '../../kit/Query.tsx';
import { t } from '../../kit/texts.ts';
import { useAct } from '../../kit/useAct.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { SecretOnce } from './SecretOnce.tsx';
import { texts as catalogue } from './texts.ts';

/** Adds an endpoint and shows its secret, once. */
export function AddEndpoint({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const texts = t(catalogue);
  const known = useQuery((signal) => get('GET /webhooks/events', {}, signal), []);
  const secret = useSignal<string | null>(null);
  const act = useAct();
  const add = async (form: HTMLFormElement) => {
    const given = new FormData(form);
    const description = String(given.get('description'));
    const body = {
      url: given.get('url'),
      events: given.getAll('events'),
      ...(description !== '' && { description }),
    };
    const added = await act.run(requestOf('POST /webhooks', { body }));
    if (!added) return;
    secret.value = added.secret;
    onAdded();
  };
  return (
    <Dialog title={texts.add} onClose={onClose} isShownOnce={!!secret.value}>
      {secret.value ? (
        <SecretOnce secret={secret.value} />
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void add(event.currentTarget);
          }}
        >
          <label>
            {texts.url}
            <input name="url" type="url" required maxLength={2048} placeholder="https://" dir="ltr" />
          </label>
          <label>
            {texts.description}
            <input name="description" maxLength={2000} dir="auto" />
          </label>
          <fieldset class="type-list">
            <legend>{texts.types}</legend>
            {known.data ? (
              known.data.events.map(({ type }) => (
                <label key={type}>
                  <input
                    type="checkbox"
                    name="events"
                    value={type}
                    defaultChecked={type === 'score.updated' || type === 'score.band_changed'}
                  />{' '}
                  <code>{type}</code>
                </label>
              ))
            ) : (
              <Skeleton height={240} />
            )}
          </fieldset>
          {act.failure && <Failure of={act.failure} />}
          <div class="actions">
            <button type="submit" class="primary" disabled={act.isBusy || !known.data}>
              {texts.save}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
