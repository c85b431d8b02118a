import { Button } from '../../kit/Button.tsx';
import './imports.css';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { requestOf } from '../../kit/api.ts';
import { valuesOf, wordsFor } from '../../kit/enumTexts.ts';
import { Chips, Moment, Page, Panel } from '../../kit/parts.tsx';
import { useList } from '../../kit/Query.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { isReadOnly, may } from '../../kit/session.ts';
import { Table } from '../../kit/Table.tsx';
import { ImportDetail } from './ImportDetail.tsx';
import { NewImport } from './NewImport.tsx';
import { texts } from './texts.ts';

const STATUSES = valuesOf('importStatus');

/** `?import=` one import; else a file that was chosen, or the list. */
export default function Imports() {
  const file = useSignal<File | null>(null);
  const importId = query.value.get('import');
  if (importId) return <ImportDetail importId={importId} key={importId} />;
  if (file.value) {
    return <NewImport file={file.value} key={file.value} onDiscard={() => (file.value = null)} />;
  }
  return <ImportList onFile={(chosen) => (file.value = chosen)} />;
}

function ImportList({ onFile }: { onFile: (file: File) => void }) {
  const status = STATUSES.find((known) => known === query.value.get('status')) ?? null;
  const filter = { limit: 50, status };
  const pages = useList('GET /imports', 'imports', { query: filter });
  return (
    <Page title={texts.title} calls={[requestOf('GET /imports', { query: filter })]}>
      {may('events', 'write') ? (
        <DropZone onFile={onFile} />
      ) : (
        isReadOnly.value && <p class="note">{texts.readOnly}</p>
      )}
      <Panel title={texts.earlier}>
        <div class="filters">
          <Chips
            label={texts.status}
            options={STATUSES}
            textOf={(value) => wordsFor('importStatus', value)}
            chosen={status}
            onChoose={(value) => setQuery({ status: value })}
          />
        </div>
        <Table
          label={texts.earlier}
          pages={pages}
          keyOf={({ id }) => id}
          onOpen={({ id }) => setQuery({ import: id, status: null })}
          height={420}
          stackedHeight={112}
          empty={<p>{texts.none}</p>}
          columns={[
            { title: texts.started, cell: ({ createdAt }) => <Moment at={createdAt} />, width: '11rem' },
            { title: texts.status, cell: ({ status }) => wordsFor('importStatus', status) },
            { title: texts.rows, count: ({ totalRows }) => totalRows },
            { title: texts.created, count: ({ createdCount }) => createdCount, hideBelow: 640 },
            { title: texts.skipped, count: ({ skippedCount }) => skippedCount, hideBelow: 640 },
            { title: texts.failed, count: ({ failedCount }) => failedCount },
          ]}
        />
      </Panel>
    </Page>
  );
}

/** The body limit of POST /imports. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Takes a file by dropping or by choosing. */
function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const isOver = useSignal(false);
  const isTooLarge = useSignal(false);
  const take = (file: File | undefined) => {
    if (!file) return;
    isTooLarge.value = file.size > MAX_BYTES;
    if (!isTooLarge.value) onFile(file);
  };
  return (
    <section
      class={`drop-zone ${isOver.value ? 'is-over' : ''}`}
      aria-label={texts.drop}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        take(event.dataTransfer?.files[0]);
      }}
    >
      <p>
        <strong>{texts.drop}</strong>
      </p>
      <Button text={texts.choose} class="primary" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,.tsv,text/csv"
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
      <p class="soft">{texts.limit}</p>
      {isTooLarge.value && (
        <p class="bad" role="alert">
          {texts.tooLarge}
        </p>
      )}
    </section>
  );
}
