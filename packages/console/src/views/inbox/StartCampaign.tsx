import { useSignal } from '@preact/signals';
import { readCsvFile } from '@reliability/client/csv-file';
import { Dialog } from '../../kit/Dialog.tsx';
import { formatNumber } from '../../kit/format.ts';
import { kitTexts } from '../../kit/kitTexts.ts';
import { Failure } from '../../kit/Query.tsx';
import { session } from '../../kit/session.ts';
import { type Language, language, languages, t } from '../../kit/texts.ts';
import { CampaignResults } from './CampaignResults.tsx';
import {
  type CampaignList,
  columns,
  MAX_ROWS,
  messageOf,
  readList,
  requiredColumns,
} from './campaignRows.ts';
import { texts as catalogue } from './texts.ts';
import { useCampaign } from './useCampaign.ts';

const TYPES = ['CONTRACT_FULFILLED', 'TRANSACTION_COMPLETED', 'REVIEW_VERIFIED', 'CONTRACT_BREACHED'];
const EXAMPLE =
  'userId,counterpartyRef,counterpartyName,description,completedAt\nworker-1,customer-88,R. Okafor,Kitchen fitted at 12 Mill Lane,2026-03-01';
/** How long a counterparty may answer by default. Only the preview of the message needs it. */
const DEFAULT_DAYS = 14;

/** Asks many counterparties about past outcomes: a list, what each of them reads, the requests. */
export function StartCampaign({ onClose, onStarted }: { onClose: () => void; onStarted: () => void }) {
  const texts = t(catalogue);
  const name = useSignal('');
  const text = useSignal('');
  const eventType = useSignal('CONTRACT_FULFILLED');
  const chosen = useSignal<Language>(language.peek());
  const campaign = useCampaign(onStarted);
  const list = readList(text.value, eventType.value);
  const isReady = list.missing.length === 0 && list.rows.length > 0 && list.rows.length <= MAX_ROWS;

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void campaign.start(name.value, list.rows);
  };
  return (
    <Dialog title={texts.newCampaign} onClose={onClose} isShownOnce={campaign.isBusy || campaign.isDone}>
      {campaign.isDone ? (
        <CampaignResults of={campaign} language={chosen.value} onClose={onClose} />
      ) : (
        <form class="form" onSubmit={submit}>
          <label>
            {texts.campaignName}
            <input
              required
              maxLength={255}
              dir="auto"
              value={name.value}
              onInput={(event) => (name.value = event.currentTarget.value)}
            />
          </label>
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
            <label>
              {texts.defaultType}
              <select
                value={eventType.value}
                onChange={(event) => (eventType.value = event.currentTarget.value)}
              >
                {TYPES.map((type) => (
                  <option key={type}>{type}</option>
                ))}
              </select>
            </label>
          </div>
          {text.value.trim() !== '' && <ListState of={list} />}
          {isReady && <Preview of={list} chosen={chosen.value} onChoose={(tag) => (chosen.value = tag)} />}
          {campaign.failure && <Failure of={campaign.failure} />}
          <div class="actions">
            <button type="submit" class="primary" disabled={!isReady || campaign.isBusy}>
              {campaign.isBusy
                ? texts.asking(formatNumber(campaign.results.length), formatNumber(list.rows.length))
                : texts.askAll(isReady ? list.rows.length : 0)}
            </button>
            <button type="button" onClick={onClose}>
              {t(kitTexts).cancel}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function isOptional(column: (typeof columns)[number]): boolean {
  return !requiredColumns.includes(column);
}

/** What is wrong with the list, as far as can be seen before the service reads it. */
function ListState({ of: { rows, missing, unused } }: { of: CampaignList }) {
  const texts = t(catalogue);
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
  const texts = t(catalogue);
  const [first] = rows;
  if (!first) return null;
  const message = messageOf(first, chosen, {
    platform: session.value?.platform?.name ?? '',
    expiresAt: new Date(Date.now() + DEFAULT_DAYS * 86_400_000).toISOString(),
    url: `${location.origin}/confirm/…?token=…`,
  });
  return (
    <section aria-label={texts.preview}>
      <label>
        {t(kitTexts).theirLanguage}{' '}
        <select value={chosen} onChange={(event) => onChoose(event.currentTarget.value as Language)}>
          {languages.map((tag) => (
            <option key={tag} value={tag}>
              {t(kitTexts).languageNames[tag]}
            </option>
          ))}
        </select>
      </label>
      <pre class="code" dir="auto" lang={first.language ?? chosen} tabIndex={0}>
        {message}
      </pre>
    </section>
  );
}
