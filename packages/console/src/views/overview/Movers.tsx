import type { AnswerOf } from '../../kit/api.ts';
import { formatChange, formatNumber } from '../../kit/format.ts';
import { Band, Panel, SubjectLink } from '../../kit/parts.tsx';
import { Query, useGet } from '../../kit/Query.tsx';
import type { Clock } from './clock.ts';
import { texts } from './texts.ts';

export const WEEK = { days: 7, limit: 5 };

type Mover = AnswerOf<'GET /analytics/movers'>['up'][number];

/** Whose score rose and fell most this week. @param by undefined: not known yet. */
export function Movers({ by }: { by: Clock | undefined }) {
  const query = { ...WEEK, by };
  const movers = useGet('GET /analytics/movers', { query }, { isEnabled: by !== undefined });
  return (
    <Query of={movers} height={250}>
      {({ up, down, truncated }) => (
        <>
          {truncated && <p class="note">{texts.truncated}</p>}
          <div class="columns">
            <MoverList title={texts.up} movers={up} />
            <MoverList title={texts.down} movers={down} />
          </div>
        </>
      )}
    </Query>
  );
}

function MoverList({ title, movers }: { title: string; movers: readonly Mover[] }) {
  return (
    <Panel title={title}>
      {movers.length === 0 && <p class="soft">{texts.nobody}</p>}
      <ul class="entries brief">
        {movers.map(({ userId, from, to, delta, scoreBand }) => (
          <li key={userId}>
            <SubjectLink id={userId} />
            <span>
              <span class="soft">
                {formatNumber(from, 2)} → {formatNumber(to, 2)}
              </span>{' '}
              <strong class={delta > 0 ? 'good' : 'bad'}>{formatChange(delta)}</strong>{' '}
              <Band band={scoreBand} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
