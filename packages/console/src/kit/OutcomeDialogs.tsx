import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { requestOf, send } from './api.ts';
import { Button, CopyButton } from './Button.tsx';
import { valuesOf, wordsFor } from './enumTexts.ts';
import { Field, FormDialog, Given, Select } from './form.tsx';
import { kitTexts } from './kitTexts.ts';
import { MessageToCopy } from './MessageToCopy.tsx';
import type { Outcome } from './OutcomeDetails.tsx';
import { outcomeTexts as texts } from './outcomeTexts.ts';
import { Query, useQuery } from './Query.tsx';
import { ScoreStep } from './ScoreStep.tsx';
import { may } from './session.ts';

interface ReportDialogProps {
  id: string;
  /** The outcome on record with which the fields begin. */
  about?: Outcome | undefined;
  onClose: () => void;
  onReported: () => void;
}

/** Reports an outcome, and shows before what it would do to the score. */
export function ReportDialog({ id, about, onClose, onReported }: ReportDialogProps) {
  return (
    <FormDialog
      title={texts.report}
      submit={texts.send}
      call={(given) => {
        const transactionValue = given.number('transactionValue') ?? undefined;
        const record = { userId: id, transactionValue, ...outcomeIn(given), ...verifiedIn(given) };
        const named = Object.entries(record).filter(([, value]) => value !== undefined);
        // Only POST /ingest keeps the name of who confirmed it.
        const mapping = Object.fromEntries(named.map(([name]) => [name, { path: name }]));
        return requestOf('POST /ingest', { body: { records: [record], mapping } });
      }}
      refusal={({ results: [result] }) => result?.error?.message ?? null}
      doneText={({ results: [result] }) =>
        [texts.reported, ...(result?.warnings ?? []).map(({ message }) => message)].join(' ')
      }
      onDone={onReported}
      onClose={onClose}
    >
      <OutcomeFields about={about} />
      <Field
        name="transactionValue"
        label={texts.worth}
        hint={texts.worthHint}
        type="number"
        min={0}
        step="any"
      />
      <Field name="verifiedBy" label={texts.verifiedBy} hint={texts.verifiedByHint} maxLength={255} />
      {may('scores', 'read') && <Preview id={id} />}
    </FormDialog>
  );
}

const PAUSE_MS = 250;

/** What the outcome in the form around it would do to the score. */
function Preview({ id }: { id: string }) {
  const place = useRef<HTMLDivElement>(null);
  const event = useSignal<string | null>(null);
  useEffect(() => {
    const form = place.current?.closest('form');
    if (!form) return;
    const read = () => {
      const given = new Given(form);
      event.value = JSON.stringify({ ...outcomeIn(given), ...verifiedIn(given) });
    };
    let timer: ReturnType<typeof setTimeout>;
    const readSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(read, PAUSE_MS);
    };
    read();
    form.addEventListener('input', readSoon);
    return () => {
      clearTimeout(timer);
      form.removeEventListener('input', readSoon);
    };
  }, []);
  const given = JSON.parse(event.value ?? '{}') as { eventType?: string; isVerified?: true };
  const projection = useQuery(
    (signal) => {
      const body = { events: [given] };
      return send(requestOf('POST /users/{id}/score/project', { params: { id }, body }), { signal });
    },
    [id, event.value],
    { isEnabled: event.value !== null },
  );
  return (
    <div ref={place} class="note" aria-live="polite">
      <Query of={projection} height={48}>
        {(reached) => (
          <p>
            {reached.baseline === 'blank' ? texts.wouldBeFirst : texts.wouldMove} <ScoreStep {...reached} />
            {reached.frozen && ` ${texts.wouldWait}`}
          </p>
        )}
      </Query>
      {!given.isVerified && SUCCESSES.includes(given.eventType ?? '') && <p>{texts.lowersShare}</p>}
    </div>
  );
}

const SUCCESSES = ['CONTRACT_FULFILLED', 'TRANSACTION_COMPLETED', 'REVIEW_VERIFIED'];

interface AskDialogProps {
  id: string;
  /** As of a report. */
  about?: Outcome | undefined;
  onClose: () => void;
  onAsked: () => void;
}

/** Makes a request for the other side of an outcome, and shows the link for it once. */
export function AskDialog({ id, about, onClose, onAsked }: AskDialogProps) {
  return (
    <FormDialog
      title={texts.ask}
      submit={texts.askSend}
      call={(given) => {
        const fields = ['description', 'counterpartyRef', 'counterpartyName'];
        const about = Object.fromEntries(fields.map((name) => [name, given.text(name)]));
        return requestOf('POST /confirmations', { body: { userId: id, ...outcomeIn(given), ...about } });
      }}
      onDone={onAsked}
      onClose={onClose}
      once={({ confirmUrl, confirmation }) => (
        <>
          <p>{texts.askDone}</p>
          <p class="code">{confirmUrl}</p>
          <CopyButton text={confirmUrl} />
          <MessageToCopy
            name={confirmation.counterpartyName}
            description={confirmation.description}
            expiresAt={confirmation.expiresAt}
            url={confirmUrl}
          />
          <div class="actions">
            <Button text={kitTexts.close} onClick={onClose} />
          </div>
        </>
      )}
    >
      <OutcomeFields about={about} />
      <label>
        {texts.description}
        <textarea name="description" rows={2} required maxLength={1000} dir="auto" />
      </label>
      <Field name="counterpartyRef" label={texts.counterparty} required maxLength={255} />
      <Field name="counterpartyName" label={texts.counterpartyName} maxLength={255} />
    </FormDialog>
  );
}

const TYPES = valuesOf('eventType').slice(0, 6);

/** What an outcome is: for reports and for questions about one. */
function OutcomeFields({ about }: { about?: Outcome | undefined }) {
  return (
    <>
      <Select
        name="eventType"
        label={texts.eventType}
        of={TYPES}
        textOf={(type) => wordsFor('eventType', type)}
        chosen={TYPES.find((type) => type === about?.eventType) ?? TYPES[0]}
      />
      <div class="columns">
        <Select
          name="stakeLevel"
          label={texts.stake}
          of={valuesOf('stakeLevel')}
          textOf={(stake) => wordsFor('stakeLevel', stake)}
          chosen={about?.stakeLevel ?? 'MEDIUM'}
        />
        {(['completedAt', 'dueDate'] as const).map((name) => (
          <Field
            key={name}
            name={name}
            label={texts[name]}
            type="date"
            defaultValue={about?.[name]?.slice(0, 10)}
          />
        ))}
      </div>
    </>
  );
}

/** The fields as the API takes them. */
function outcomeIn(given: Given) {
  return {
    eventType: given.text('eventType'),
    stakeLevel: given.text('stakeLevel'),
    completedAt: given.day('completedAt'),
    dueDate: given.day('dueDate'),
  };
}

/** Who confirmed it, if the form names somebody. */
function verifiedIn(given: Given) {
  const verifiedBy = given.text('verifiedBy');
  return verifiedBy === undefined ? {} : { isVerified: true, verifiedBy };
}
