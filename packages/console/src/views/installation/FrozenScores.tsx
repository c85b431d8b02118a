import { requestOf } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { Band, Moment, Panel, ScrollRegion } from '../../kit/parts.tsx';
import { Failure, Query } from '../../kit/Query.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAction.ts';
import { useGet } from '../../kit/useQuery.ts';
import { texts } from './texts.ts';

/** What the velocity guard holds, to be cleared. */
export function FrozenScores() {
  const frozen = useGet('GET /admin/frozen-scores');
  const act = useAct();

  const clear = (platformId: string, id: string) => {
    const input = { params: { id }, query: { platformId } };
    void act.run(requestOf('POST /admin/users/{id}/resolve-velocity-flag', input), () => {
      toast(texts.cleared(id));
      frozen.reload();
    });
  };
  return (
    <Panel title={texts.frozen}>
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
    </Panel>
  );
}
