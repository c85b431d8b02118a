import { useEffect, useState } from 'preact/hooks';
import { get, requestOf } from '../../kit/api.ts';
import { Moment } from '../../kit/Moment.tsx';
import { Page } from '../../kit/Page.tsx';
import { Query } from '../../kit/Query.tsx';
import { setQuery } from '../../kit/router.ts';
import { t } from '../../kit/texts.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { Tile } from './DryRun.tsx';
import { MendRows } from './MendRows.tsx';
import { texts as catalogue } from './texts.ts';

const POLL_MS = 1000;

/** An import while it runs and afterwards, with the rows that failed. */
export function ImportDetail({ importId }: { importId: string }) {
  const texts = t(catalogue);
  const params = { id: importId };
  const [isRunning, setRunning] = useState(true);
  const running = useQuery(
    (signal) => get('GET /imports/{id}', { params }, signal),
    [importId],
    isRunning ? { everyMs: POLL_MS } : {},
  );
  const completedAt = running.data?.completedAt;
  useEffect(() => {
    if (completedAt) setRunning(false);
  }, [completedAt]);
  return (
    <Page
      title={texts.title}
      calls={[
        requestOf('GET /imports/{id}', { params }),
        requestOf('GET /imports/{id}/errors', { params, query: { limit: 100 } }),
      ]}
      actions={
        <button type="button" onClick={() => setQuery({ import: null })}>
          {texts.back}
        </button>
      }
    >
      <section class="panel">
        <Query of={running} height={170}>
          {({
            status,
            totalRows,
            createdCount,
            skippedCount,
            failedCount,
            warningCount,
            error,
            createdAt,
          }) => (
            <>
              <h2>
                {texts[status]} <span class="soft">{<Moment at={createdAt} />}</span>
              </h2>
              <progress
                aria-label={texts.progress}
                max={totalRows}
                value={createdCount + skippedCount + failedCount}
              />
              {error && (
                <p class="bad" role="alert">
                  {error}
                </p>
              )}
              <dl class="tiles">
                <Tile name={texts.rows} value={totalRows} />
                <Tile name={texts.created} value={createdCount} />
                <Tile name={texts.skipped} value={skippedCount} />
                <Tile name={texts.failed} value={failedCount} isBad={failedCount > 0} />
                <Tile name={texts.warnings} value={warningCount} />
              </dl>
              <p role="status">{status === 'COMPLETED' && texts.done(createdCount)}</p>
            </>
          )}
        </Query>
      </section>
      {completedAt && <MendRows importId={importId} />}
    </Page>
  );
}
