import { useSignal } from '@preact/signals';
import { requestOf } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { Field, FormDialog } from '../../kit/form.tsx';
import { texts } from './texts.ts';

/** What people call the subject, and the id beside it; without a name the id alone. */
export function NameAndId({ id, name }: { id: string; name: string | null | undefined }) {
  if (!name) return <span class="subject-id">{id}</span>;
  return (
    <>
      <bdi>{name}</bdi> <code class="subject-id soft">{id}</code>
    </>
  );
}

/** Sets or removes the name. */
export function NameButton({ id, name, onNamed }: { id: string; name: string | null; onNamed: () => void }) {
  const isOpen = useSignal(false);
  return (
    <>
      <Button
        text={name === null ? texts.giveName : texts.changeName}
        onClick={() => (isOpen.value = true)}
      />
      {isOpen.value && (
        <FormDialog
          title={texts.displayName}
          submit={texts.saveName}
          call={(given) =>
            requestOf('PATCH /users/{id}', {
              params: { id },
              body: { displayName: given.text('name') ?? null },
            })
          }
          onDone={onNamed}
          doneText={({ displayName }) => (displayName === null ? texts.nameRemoved : texts.nameSaved)}
          onClose={() => (isOpen.value = false)}
        >
          <Field
            name="name"
            label={texts.displayName}
            hint={texts.nameHint}
            defaultValue={name ?? ''}
            maxLength={120}
            autofocus
          />
        </FormDialog>
      )}
    </>
  );
}
