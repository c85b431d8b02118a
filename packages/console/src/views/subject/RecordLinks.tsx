import { useSignal } from '@preact/signals';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Button, CopyButton } from '../../kit/Button.tsx';
import { ConfirmButton } from '../../kit/Confirm.tsx';
import { Field, FormDialog, Select } from '../../kit/form.tsx';
import { kitTexts } from '../../kit/kitTexts.ts';
import { Moment } from '../../kit/parts.tsx';
import { languages } from '../../kit/texts.ts';
import { texts } from './texts.ts';

type RecordLink = Omit<AnswerOf<'POST /users/{id}/record-links'>, 'url'>;

/** Links with which the subject opens its own record. The API lists none: those of this view are kept here. */
export function RecordLinks({ id }: { id: string }) {
  const made = useSignal<readonly RecordLink[]>([]);
  const isMaking = useSignal(false);
  const close = () => (isMaking.value = false);
  return (
    <>
      <h3>{texts.recordLink}</h3>
      <p class="soft">{texts.recordLinkLead}</p>
      <div class="actions">
        <Button text={texts.makeRecordLink} onClick={() => (isMaking.value = true)} />
      </div>
      {made.value.length > 0 && <p class="soft">{texts.recordLinksHere}</p>}
      <ul class="entries">
        {made.value.map(({ recordLinkId, expiresAt }) => (
          <li key={recordLinkId}>
            <code>{recordLinkId}</code> {texts.expires} <Moment at={expiresAt} distance />{' '}
            <ConfirmButton
              text={texts.withdrawRecordLink}
              title={texts.withdrawRecordLinkSure}
              submit={texts.withdrawRecordLink}
              lost={[texts.withdrawRecordLinkLost, texts.withdrawRecordLinkKept]}
              call={() =>
                requestOf('DELETE /users/{id}/record-links/{recordLinkId}', { params: { id, recordLinkId } })
              }
              doneText={() => texts.recordLinkWithdrawn}
              onDone={() => {
                made.value = made.peek().filter((link) => link.recordLinkId !== recordLinkId);
              }}
            />
          </li>
        ))}
      </ul>
      {isMaking.value && (
        <FormDialog
          title={texts.recordLink}
          submit={texts.makeRecordLink}
          call={(given) =>
            requestOf('POST /users/{id}/record-links', {
              params: { id },
              body: { expiresInHours: given.number('hours') ?? undefined, language: given.text('language') },
            })
          }
          onDone={({ recordLinkId, expiresAt }) => {
            made.value = [{ recordLinkId, expiresAt }, ...made.peek()];
          }}
          once={({ url }) => (
            <>
              <p>{texts.recordLinkOnce}</p>
              <p class="code">{url}</p>
              <div class="actions">
                <CopyButton text={url} />
                <Button text={kitTexts.close} onClick={close} />
              </div>
            </>
          )}
          onClose={close}
        >
          <p>{texts.recordLinkShows}</p>
          <p>{texts.recordLinkHides}</p>
          <Field
            name="hours"
            label={texts.hours}
            type="number"
            min={1}
            max={720}
            step={1}
            defaultValue={72}
          />
          <Select
            name="language"
            label={texts.pageLanguage}
            of={languages}
            textOf={(tag) => kitTexts.languageNames[tag]}
            chosen={null}
            none={texts.theirBrowsers}
          />
        </FormDialog>
      )}
    </>
  );
}
