import { useSignal } from '@preact/signals';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { ActButton } from '../../kit/Button.tsx';
import { Field, FormDialog } from '../../kit/form.tsx';
import { OutsideLink } from '../../kit/Link.tsx';
import { Details, Page, Panel } from '../../kit/parts.tsx';
import { Query, useGet } from '../../kit/Query.tsx';
import { isReadOnly, may, mode } from '../../kit/session.ts';
import { texts } from './texts.ts';

/** What the platform says about itself to the people whom it scores. */
export default function Settings() {
  const isEnabled = may('admin', 'read');
  const platform = useGet('GET /platform', {}, { isEnabled });
  const isChanging = useSignal(false);
  if (!isEnabled)
    return (
      <Page title={texts.title}>
        <p class="note">{texts.notAllowed}</p>
      </Page>
    );
  const mayChange = platform.data && mode.value === 'live' && may('admin', 'write') && !isReadOnly.value;
  return (
    <Page
      title={texts.title}
      calls={[requestOf('GET /platform')]}
      actions={
        mayChange && (
          <ActButton press="e" text={texts.change} class="primary" onAct={() => (isChanging.value = true)} />
        )
      }
    >
      <Panel title={texts.people} lead={texts.peopleLead}>
        <Query of={platform} height={160}>
          {({ id, contact, privacyUrl }) => (
            <Details
              of={[
                [texts.contact, contact ?? <span class="warn">{texts.noContact}</span>],
                [texts.privacyUrl, privacyUrl ? <OutsideLink href={privacyUrl} /> : texts.noPrivacyUrl],
                [texts.notice, <OutsideLink href={`${location.origin}/how/${id}`} />],
              ]}
            />
          )}
        </Query>
        {mode.value === 'test' && <p class="note">{texts.liveOnly}</p>}
      </Panel>
      {isChanging.value && platform.data && (
        <ChangeDialog
          of={platform.data}
          onChanged={platform.reload}
          onClose={() => (isChanging.value = false)}
        />
      )}
    </Page>
  );
}

interface ChangeDialogProps {
  of: AnswerOf<'GET /platform'>;
  onChanged: () => void;
  onClose: () => void;
}

function ChangeDialog({ of: { contact, privacyUrl }, onChanged, onClose }: ChangeDialogProps) {
  return (
    <FormDialog
      title={texts.people}
      submit={texts.save}
      call={(given) => {
        const body = { contact: given.text('contact') ?? null, privacyUrl: given.text('privacyUrl') ?? null };
        return requestOf('PATCH /platform', { body });
      }}
      doneText={() => texts.saved}
      onDone={onChanged}
      onClose={onClose}
    >
      <Field
        name="contact"
        label={texts.contact}
        hint={texts.contactHint}
        defaultValue={contact ?? ''}
        maxLength={255}
      />
      <Field
        name="privacyUrl"
        type="url"
        label={texts.privacyUrl}
        hint={texts.privacyUrlHint}
        defaultValue={privacyUrl ?? ''}
        maxLength={2048}
        spellcheck={false}
      />
    </FormDialog>
  );
}
