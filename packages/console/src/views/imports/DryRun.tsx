import type { AnswerOf } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { Tile } from '../../kit/parts.tsx';
import { texts } from './texts.ts';

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
      <Groups title={texts.failed} groups={of.errors} />
      <Groups title={texts.warnings} groups={of.warnings} />
    </>
  );
}

function Groups({ title, groups }: { title: string; groups: Result['errors'] }) {
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
