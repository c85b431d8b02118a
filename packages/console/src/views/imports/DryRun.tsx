import { type AnswerOf, send } from '../../kit/api.ts';
import { wordsFor } from '../../kit/enumTexts.ts';
import { formatNumber } from '../../kit/format.ts';
import { Moment, Tile } from '../../kit/parts.tsx';
import { Query, useQuery } from '../../kit/Query.tsx';
import type { Call } from '../../kit/session.ts';
import { expectedText, texts } from './texts.ts';

type Result = AnswerOf<'POST /imports/dry-run'>;

/** What an import would do: counts, and failures and warnings by reason. */
export function DryRun({ of }: { of: Result }) {
  return (
    <>
      <dl class="tiles">
        <Tile name={texts.rows} value={of.totalRows} />
        <Tile name={texts.valid} value={of.validCount} />
        <Tile name={texts.skipped} value={of.skippedCount} />
        <Tile name={texts.failed} value={of.failedCount} class={of.failedCount > 0 ? 'bad' : undefined} />
        <Tile name={texts.warnings} value={of.warningCount} />
      </dl>
      {of.failedCount === 0 && <p class="good">{texts.allGood}</p>}
      <Problems of={of.problems} />
      <Groups title={texts.warnings} groups={of.warnings} />
    </>
  );
}

/** What is wrong with the rows that fail, one problem of a column in a row. */
export function Problems({ of }: { of: Result['problems'] }) {
  if (of.length === 0) return null;
  return (
    <div class="scroll reasons" tabIndex={0}>
      <table>
        <caption>{texts.problems}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.source}</th>
            <th scope="col">{texts.problem}</th>
            <th scope="col" class="end">
              {texts.count}
            </th>
            <th scope="col" class="end">
              {texts.firstRow}
            </th>
            <th scope="col">{texts.example}</th>
          </tr>
        </thead>
        <tbody>
          {of.map(({ column, code, rows, first, example, expected }) => (
            <tr key={`${column} ${code} ${expected}`}>
              <th scope="row" dir="auto">
                {column ?? texts.wholeRow}
              </th>
              <td dir="auto">{expectedText(expected)}</td>
              <td class="end">{formatNumber(rows)}</td>
              <td class="end">{formatNumber(first)}</td>
              <td dir="auto">{example === '' ? texts.emptyCell : example}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Groups({ title, groups }: { title: string; groups: Result['warnings'] }) {
  if (groups.length === 0) return null;
  return (
    <div class="scroll reasons" tabIndex={0}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.reason}</th>
            <th scope="col" class="end">
              {texts.count}
            </th>
            <th scope="col">{texts.which}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ code, reason, example, count, rows }) => (
            <tr key={code + reason}>
              <td dir="auto" title={example}>
                {reason} <code class="soft">{code}</code>
              </td>
              <td class="end">{formatNumber(count)}</td>
              <td>{rows.slice(0, 8).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Row = AnswerOf<'POST /imports/dry-run'>['sample'][number];

interface SampleEventsProps {
  isEnabled: boolean;
  /** A dry run of the first rows. */
  call: Call<AnswerOf<'POST /imports/dry-run'>>;
}

/** Long enough that a person chooses the next column. */
const PAUSE_MS = 250;

/** The first rows as the service would record them, while one maps. */
export function SampleEvents({ isEnabled, call }: SampleEventsProps) {
  const sample = useQuery(
    async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      signal.throwIfAborted();
      return send(call, { signal });
    },
    [JSON.stringify(call)],
    { isEnabled },
  );
  return (
    <section class="panel sample-events">
      <h2>{texts.asEvents}</h2>
      {!isEnabled ? (
        <p class="soft">{texts.notYet}</p>
      ) : (
        <Query of={sample} height={230}>
          {({ sample }) => (
            <ol class="events">
              {sample.map((row) => (
                <SampleEvent key={row.row} of={row} />
              ))}
            </ol>
          )}
        </Query>
      )}
    </section>
  );
}

function SampleEvent({ of: { row, event, error, warnings } }: { of: Row }) {
  return (
    <li value={row}>
      {event ? (
        <>
          <code dir="auto">{event.userId}</code> <strong>{wordsFor('eventType', event.eventType)}</strong>{' '}
          <span>{wordsFor('stakeLevel', event.stakeLevel)}</span>{' '}
          {event.completedAt && <Moment at={event.completedAt} />}{' '}
          {event.transactionValue !== null && <span>{formatNumber(event.transactionValue, 2)}</span>}{' '}
          <span class={event.isVerified ? 'good' : 'soft'} dir="auto">
            {event.isVerified ? `${texts.verified} (${event.attester})` : texts.unverified}
          </span>{' '}
          {event.idempotencyKey && <code class="soft">{event.idempotencyKey}</code>}
        </>
      ) : (
        <span class="bad" dir="auto">
          {error?.reason}
        </span>
      )}
      {warnings.map(({ code, message }) => (
        <span key={code} class="warn event-warning">
          {message}
        </span>
      ))}
    </li>
  );
}
