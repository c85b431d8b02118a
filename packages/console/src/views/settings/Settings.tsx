import { useSignal } from '@preact/signals';
import { requestOf } from '../../kit/api.ts';
import { ActButton } from '../../kit/Button.tsx';
import { Field, FormDialog } from '../../kit/form.tsx';
import { OutsideLink } from '../../kit/Link.tsx';
import { Details, Page, Panel } from '../../kit/parts.tsx';
import { Query, useGet } from '../../kit/Query.tsx';
import { may, mode } from '../../kit/session.ts';
import { texts } from './texts.ts';

/** What the platform says about itself to the people whom it scores. */
export default function Settings() {
  const mayRead = may('admin', 'read');
  const platform = useGet('GET /platform', {}, { isEnabled: mayRead });
  const isChanging = useSignal(false);
  if (!mayRead)
    return (
      <Page title={texts.title}>
        <p class="note">{texts.notAllowed}</p>
      </Page>
    );
  const mayChange = platform.data && mode.value === 'live' && may('admin', 'write');
  const change = mayChange && (
    <ActButton press="e" text={texts.change} class="primary" onAct={() => (isChanging.value = true)} />
  );
  return (
    <Page title={texts.title} calls={[requestOf('GET /platform')]} actions={change}>
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
      {isChanging.value && (
        <FormDialog
          title={texts.people}
          submit={texts.save}
          call={(given) => {
            const [contact = null, privacyUrl = null] = [given.text('contact'), given.text('privacyUrl')];
            return requestOf('PATCH /platform', { body: { contact, privacyUrl } });
          }}
          doneText={() => texts.saved}
          onDone={platform.reload}
          onClose={() => (isChanging.value = false)}
        >
          <Field
            name="contact"
            label={texts.contact}
            hint={texts.contactHint}
            defaultValue={platform.data?.contact ?? ''}
            maxLength={255}
          />
          <Field
            name="privacyUrl"
            type="url"
            label={texts.privacyUrl}
            hint={texts.privacyUrlHint}
            defaultValue={platform.data?.privacyUrl ?? ''}
            maxLength={2048}
          />
        </FormDialog>
      )}
    </Page>
  );
}
