import type { AnswerOf } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { Moment, Panel, ScrollRegion } from '../../kit/parts.tsx';
import { Query } from '../../kit/Query.tsx';
import { useGet } from '../../kit/useQuery.ts';
import { texts } from './texts.ts';

type Audit = AnswerOf<'GET /admin/audits'>['audits'][number];

/** What the ledger audit found, run by run. */
export function Audits() {
  const audits = useGet('GET /admin/audits');
  return (
    <Panel title={texts.audits} lead={texts.auditNote}>
      <Query
        of={audits}
        height={120}
        isEmpty={({ audits: runs }) => runs.length === 0}
        empty={
          <>
            <p>{texts.noAudit}</p>
            <pre class="code">npm run audit-ledger</pre>
          </>
        }
      >
        {({ audits: runs }) => (
          <ScrollRegion label={texts.audits}>
            <table class="figures">
              <thead>
                <tr>
                  <th scope="col">{texts.ended}</th>
                  <th scope="col">{texts.found}</th>
                  <th scope="col">{texts.events}</th>
                  <th scope="col">{texts.leaves}</th>
                  <th scope="col">{texts.duration}</th>
                </tr>
              </thead>
              <tbody>
                {runs.map((run) => (
                  <tr key={run.id}>
                    <th scope="row">
                      <Moment at={run.endedAt} distance />
                    </th>
                    <td class={run.differences === 0 ? 'good' : 'bad'}>
                      {run.differences === 0 ? texts.clean : texts.differences(run.differences)}
                    </td>
                    <td>{formatNumber(sumOf(run, ({ ledger }) => ledger.events))}</td>
                    <td>{formatNumber(sumOf(run, ({ log }) => log.leaves))}</td>
                    <td>{texts.seconds(formatNumber(secondsOf(run)))}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        )}
      </Query>
    </Panel>
  );
}

function sumOf({ groups }: Audit, count: (group: Audit['groups'][number]) => number): number {
  return groups.reduce((sum, group) => sum + count(group), 0);
}

function secondsOf({ startedAt, endedAt }: Audit): number {
  return Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
}
