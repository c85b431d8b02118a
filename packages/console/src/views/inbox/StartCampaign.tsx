import { useSignal } from '@preact/signals';
import { readCsvFile } from '@reliability/client/csv-file';
import { Dialog } from '../../kit/Dialog.tsx';
import { wordsFor } from '../../kit/enumTexts.ts';
import { Field, Form, Select } from '../../kit/form.tsx';
import { formatNumber } from '../../kit/format.ts';
import { kitTexts } from '../../kit/kitTexts.ts';
import { session } from '../../kit/session.ts';
import { type Language, language, languages } from '../../kit/texts.ts';
import { CampaignResults } from './CampaignResults.tsx';
import {
  type CampaignList,
  columns,
  MAX_ROWS,
  messageOf,
  readList,
  requiredColumns,
} from './campaignRows.ts';
import { texts } from './texts.ts';
import { useCampaign } from './useCampaign.ts';

const TYPES = ['CONTRACT_FULFILLED', 'TRANSACTION_COMPLETED', 'REVIEW_VERIFIED', 'CONTRACT_BREACHED'];
const EXAMPLE =
  'userId,counterpartyRef,counterpartyName,description,completedAt\nworker-1,customer-88,R. Okafor,Kitchen fitted at 12 Mill Lane,2026-03-01';
/** How long a counterparty may answer by default. Only the preview of the message needs it. */
const DEFAULT_DAYS = 14;

/** Asks many counterparties about past outcomes: a list, what each of them reads, the requests. */
export function StartCampaign({ onClose, onStarted }: { onClose: () => void; onStarted: () => void }) {
  const text = useSignal('');
  const eventType = useSignal('CONTRACT_FULFILLED');
  const chosen = useSignal<Language>(language.peek());
  const campaign = useCampaign(onStarted);
  const list = readList(text.value, eventType.value);
  const isReady = list.missing.length === 0 && list.rows.length > 0 && list.rows.length <= MAX_ROWS;

  return (
    <Dialog title={texts.newCampaign} onClose={onClose} isShownOnce={campaign.isBusy || campaign.isDone}>
      {campaign.isDone ? (
        <CampaignResults of={campaign} language={chosen.value} onClose={onClose} />
      ) : (
        <Form
          submit={
            campaign.isBusy
              ? texts.asking(formatNumber(campaign.results.length), formatNumber(list.rows.length))
              : texts.askAll(isReady ? list.rows.length : 0)
          }
          isReady={isReady}
          isBusy={campaign.isBusy}
          failure={campaign.failure}
          onSubmit={(given) => void campaign.start(given.text('name') ?? '', list.rows)}
          onCancel={onClose}
        >
          <Field name="name" label={texts.campaignName} required maxLength={255} />
          <label>
            {texts.list}
            <textarea
              rows={6}
              required
              dir="auto"
              spellcheck={false}
              placeholder={EXAMPLE}
              aria-describedby="campaign-columns"
              value={text.value}
              onInput={(event) => (text.value = event.currentTarget.value)}
            />
          </label>
          <p id="campaign-columns" class="soft">
            {texts.columns(requiredColumns.join(', '), columns.filter(isOptional).join(', '))}
          </p>
          <div class="filters">
            <label>
              {texts.listFile}
              <input
                type="file"
                accept=".csv,.txt,.tsv,text/csv"
                onChange={async ({ currentTarget: { files } }) => {
                  const file = files?.[0];
                  if (file) text.value = readCsvFile(new Uint8Array(await file.arrayBuffer())).text;
                }}
              />
            </label>
            <Select
              label={texts.defaultType}
              of={TYPES}
              textOf={(type) => wordsFor('eventType', type)}
              chosen={eventType.value}
              onChoose={(type) => (eventType.value = type)}
            />
          </div>
          {text.value.trim() !== '' && <ListState of={list} />}
          {isReady && <Preview of={list} chosen={chosen.value} onChoose={(tag) => (chosen.value = tag)} />}
        </Form>
      )}
    </Dialog>
  );
}

function isOptional(column: (typeof columns)[number]): boolean {
  return !requiredColumns.includes(column);
}

/** What is wrong with the list, as far as can be seen before the service reads it. */
function ListState({ of: { rows, missing, unused } }: { of: CampaignList }) {
  if (missing.length > 0) return <p class="bad">{texts.missingColumns(missing.join(', '))}</p>;
  if (rows.length > MAX_ROWS) return <p class="bad">{texts.tooManyRows(formatNumber(MAX_ROWS))}</p>;
  return unused.length > 0 ? <p class="warn">{texts.unusedColumns(unused.join(', '))}</p> : null;
}

interface PreviewProps {
  of: CampaignList;
  chosen: Language;
  onChoose: (language: Language) => void;
}

/** What the first counterparty will read. */
function Preview({ of: { rows }, chosen, onChoose }: PreviewProps) {
  const [first] = rows;
  if (!first) return null;
  const message = messageOf(first, chosen, {
    platform: session.value?.platform?.name ?? '',
    expiresAt: new Date(Date.now() + DEFAULT_DAYS * 86_400_000).toISOString(),
    url: `${location.origin}/confirm/…?token=…`,
  });
  return (
    <section aria-label={texts.preview}>
      <Select
        label={kitTexts.theirLanguage}
        of={languages}
        textOf={(tag) => kitTexts.languageNames[tag]}
        chosen={chosen}
        onChoose={onChoose}
      />
      <pre class="code" dir="auto" lang={first.language ?? chosen} tabIndex={0}>
        {message}
      </pre>
    </section>
  );
}
