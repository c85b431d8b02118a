import { Button } from '../../kit/Button.tsx';
import { ConfirmButton } from '../../kit/Confirm.tsx';
import './installation.css';
import { requestOf } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { Band, Figures, Moment, Panel } from '../../kit/parts.tsx';
import { Failure, Query, useGet } from '../../kit/Query.tsx';
import { mayOperate } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAction.ts';
import { texts } from './texts.ts';

/** What the velocity guard holds, to be cleared. */
export function FrozenScores() {
  const frozen = useGet('GET /admin/frozen-scores');
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
            <Figures
              label={texts.frozen}
              heads={[texts.subject, texts.platform, texts.since, '']}
              rows={frozenScores.map(({ platformId, platformName, userId, frozenAt, ...now }) => ({
                key: `${platformId} ${userId}`,
                cells: [
                  <>
                    {userId} <Band band={now.scoreBand} /> {formatNumber(now.finalScore, 2)}
                  </>,
                  platformName,
                  <Moment at={frozenAt} distance />,
                  mayOperate.value && (
                    <ConfirmButton
                      text={texts.clear}
                      label={texts.clearOf(userId)}
                      title={texts.clearSure(userId)}
                      submit={texts.clear}
                      lost={[texts.clearLost, texts.clearFinal]}
                      call={() =>
                        requestOf('POST /admin/users/{id}/resolve-velocity-flag', {
                          params: { id: userId },
                          query: { platformId },
                        })
                      }
                      doneText={() => texts.cleared(userId)}
                      onDone={frozen.reload}
                    />
                  ),
                ],
              }))}
            />
            {truncated && <p class="soft">{texts.more}</p>}
          </>
        )}
      </Query>
    </Panel>
  );
}

const SWEEPS = ['reminders', 'expiry', 'disputes', 'decay', 'benchmarks', 'retention'] as const;

/** The periodic work, to be run now. */
export function Sweeps() {
  const act = useAct();

  const run = (name: string) =>
    act.run(requestOf('POST /admin/sweeps/{name}', { params: { name } }), ({ affected }) =>
      toast(texts.ran(name, formatNumber(affected))),
    );
  return (
    <Panel title={texts.sweeps} lead={texts.sweepsNote}>
      <Figures
        label={texts.sweeps}
        class="sweeps"
        rows={SWEEPS.map((name) => ({
          key: name,
          cells: [
            <code>{name}</code>,
            texts.sweepTexts[name],
            mayOperate.value && (
              <Button
                text={texts.run}
                disabled={act.isBusy}
                aria-label={texts.runOf(name)}
                onClick={() => run(name)}
              />
            ),
          ],
        }))}
      />
      {act.failure && <Failure of={act.failure} />}
    </Panel>
  );
}
