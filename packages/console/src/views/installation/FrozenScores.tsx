import { get, requestOf } from '../../kit/api.ts';
import { Band } from '../../kit/Band.tsx';
import { formatNumber } from '../../kit/format.ts';
import { Moment } from '../../kit/Moment.tsx';
import { Failure, Query } from '../../kit/Query.tsx';
import { ScrollRegion } from '../../kit/ScrollRegion.tsx';
import { t } from '../../kit/texts.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAct.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { texts as catalogue } from './texts.ts';

/** What the velocity guard holds, to be cleared. */
export function FrozenScores() {
  const texts = t(catalogue);
  const frozen = useQuery((signal) => get('GET /admin/frozen-scores', {}, signal), []);
  const act = useAct();

  async function clear(platformId: string, userId: string): Promise<void> {
    const call = requestOf('POST /admin/users/{id}/resolve-velocity-flag', {
      params: { id: userId },
      query: { platformId },
    });
    if (!(await act.run(call))) return;
    toast(texts.cleared(userId));
    frozen.reload();
  }

  return (
    <section class="panel">
      <h2>{texts.frozen}</h2>
      <Query
        of={frozen}
        height={120}
        isEmpty={({ frozenScores }) => frozenScores.length === 0}
        empty={<p>{texts.noneFrozen}</p>}
      >
        {({ frozenScores, truncated }) => (
          <>
            <p class="soft">{texts.frozenNote}</p>
            <ScrollRegion label={texts.frozen}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{texts.subject}</th>
                    <th scope="col">{texts.platform}</th>
                    <th scope="col">{texts.since}</th>
                    <td />
                  </tr>
                </thead>
                <tbody>
                  {frozenScores.map(
                    ({ platformId, platformName, userId, frozenAt, finalScore, scoreBand }) => (
                      <tr key={`${platformId} ${userId}`}>
                        <th scope="row" dir="auto">
                          {userId} <Band band={scoreBand} /> {formatNumber(finalScore, 2)}
                        </th>
                        <td dir="auto">{platformName}</td>
                        <td>
                          <Moment at={frozenAt} distance />
                        </td>
                        <td class="end">
                          <button
                            type="button"
                            disabled={act.isBusy}
                            aria-label={texts.clearOf(userId)}
                            onClick={() => clear(platformId, userId)}
                          >
                            {texts.clear}
                          </button>
                        </td>
                      </tr>
                    ),
                  )}
                </tbody>
              </table>
            </ScrollRegion>
            {truncated && <p class="soft">{texts.more}</p>}
          </>
        )}
      </Query>
      {act.failure && <Failure of={act.failure} />}
    </section>
  );
}
