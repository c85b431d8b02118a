import { requestOf } from '../../kit/api.ts';
import { Field, FormDialog } from '../../kit/form.tsx';
import { Skeleton, useGet } from '../../kit/Query.tsx';
import { SecretOnce, TypeName } from './EndpointParts.tsx';
import { texts } from './texts.ts';

const CHOSEN: readonly string[] = ['score.updated', 'score.band_changed'];

/** Adds an endpoint and shows its secret, once. */
export function AddEndpoint({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const known = useGet('GET /webhooks/events');
  return (
    <FormDialog
      title={texts.add}
      submit={texts.save}
      isReady={known.data !== undefined}
      call={(given) => {
        const description = given.text('description');
        const body = { url: given.text('url'), events: given.getAll('events'), description };
        return requestOf('POST /webhooks', { body });
      }}
      onDone={onAdded}
      once={({ secret }) => <SecretOnce secret={secret} />}
      onClose={onClose}
    >
      <Field
        name="url"
        label={texts.url}
        type="url"
        required
        maxLength={2048}
        placeholder="https://"
        dir="ltr"
      />
      <Field name="description" label={texts.description} maxLength={2000} />
      <fieldset class="type-list">
        <legend>{texts.types}</legend>
        {known.data ? (
          known.data.events.map(({ type }) => (
            <label key={type}>
              <input type="checkbox" name="events" value={type} defaultChecked={CHOSEN.includes(type)} />{' '}
              <TypeName of={type} />
            </label>
          ))
        ) : (
          <Skeleton height={240} />
        )}
      </fieldset>
    </FormDialog>
  );
}
