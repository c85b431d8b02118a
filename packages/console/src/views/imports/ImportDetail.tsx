import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { wordsFor } from '../../kit/enumTexts.ts';
import { Moment, Page, Tile } from '../../kit/parts.tsx';
import { Query, useGet } from '../../kit/Query.tsx';
import { setQuery } from '../../kit/router.ts';
import { Problems } from './DryRun.tsx';
import { MendRows } from './Mend.tsx';
import { texts } from './texts.ts';

const POLL_MS = 1000;

/** An import while it runs and afterwards, with the rows that failed. */
export function ImportDetail({ importId }: { importId: string }) {
  const params = { id: importId };
  const [isRunning, setRunning] = useState(true);
  const running = useGet('GET /imports/{id}', { params }, isRunning ? { everyMs: POLL_MS } : {});
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
      actions={<Button text={texts.back} onClick={() => setQuery({ import: null })} />}
    >
      <section class="panel">
        <Query of={running} height={170}>
          {({ status, totalRows, createdCount, skippedCount, failedCount, error, ...rest }) => (
            <>
              <h2>
                {wordsFor('importStatus', status)}{' '}
                <span class="soft">
                  <Moment at={rest.createdAt} />
                </span>
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
                <Tile name={texts.failed} value={failedCount} class={failedCount > 0 ? 'bad' : undefined} />
                <Tile name={texts.warnings} value={rest.warningCount} />
              </dl>
              <p role="status">{status === 'COMPLETED' && texts.done(createdCount)}</p>
            </>
          )}
        </Query>
      </section>
      {completedAt && <ProblemsOf importId={importId} />}
      {completedAt && <MendRows importId={importId} />}
    </Page>
  );
}

/** What was wrong with the rows that failed, over the whole file. */
function ProblemsOf({ importId }: { importId: string }) {
  const input = { params: { id: importId }, query: { groupBy: 'column' } };
  const { columns = [] } = useGet('GET /imports/{id}/errors', input).data ?? {};
  if (columns.length === 0) return null;
  return (
    <section class="panel">
      <Problems of={columns as AnswerOf<'POST /imports/dry-run'>['problems']} />
    </section>
  );
}
