import './imports.css';
import { useSignal } from '@preact/signals';
import { get, requestOf } from '../../kit/api.ts';
import { Chips } from '../../kit/Chips.tsx';
import { formatNumber } from '../../kit/format.ts';
import { Moment } from '../../kit/Moment.tsx';
import { Page } from '../../kit/Page.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { isReadOnly, may } from '../../kit/session.ts';
import { Table } from '../../kit/Table.tsx';
import { t } from '../../kit/texts.ts';
import { usePages } from '../../kit/useQuery.ts';
import { DropZone } from './DropZone.tsx';
import { ImportDetail } from './ImportDetail.tsx';
import { NewImport } from './NewImport.tsx';
import { texts as catalogue } from './texts.ts';

const STATUSES = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;

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
  const texts = t(catalogue);
  const status = STATUSES.find((known) => known === query.value.get('status')) ?? null;
  const filter = { limit: 50, status };
  const pages = usePages(
    async (cursor, signal) => {
      const { imports, nextCursor } = await get('GET /imports', { query: { ...filter, cursor } }, signal);
      return { rows: imports, nextCursor };
    },
    [status],
  );
  return (
    <Page title={texts.title} calls={[requestOf('GET /imports', { query: filter })]}>
      {may('events', 'write') ? (
        <DropZone onFile={onFile} />
      ) : (
        isReadOnly.value && <p class="note">{texts.readOnly}</p>
      )}
      <section class="panel">
        <h2>{texts.earlier}</h2>
        <div class="filters">
          <Chips
            label={texts.status}
            options={STATUSES.map((value) => ({ value, text: texts[value] }))}
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
            { title: texts.status, cell: ({ status }) => texts[status] },
            { title: texts.rows, cell: ({ totalRows }) => formatNumber(totalRows), align: 'end' },
            {
              title: texts.created,
              cell: ({ createdCount }) => formatNumber(createdCount),
              align: 'end',
              hideBelow: 640,
            },
            {
              title: texts.skipped,
              cell: ({ skippedCount }) => formatNumber(skippedCount),
              align: 'end',
              hideBelow: 640,
            },
            {
              title: texts.failed,
              cell: ({ failedCount }) => (
                <span class={failedCount > 0 ? 'bad' : undefined}>{formatNumber(failedCount)}</span>
              ),
              align: 'end',
            },
          ]}
        />
      </section>
    </Page>
  );
}
