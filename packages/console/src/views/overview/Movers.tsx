import { type AnswerOf, get } from '../../kit/api.ts';
import { Band } from '../../kit/Band.tsx';
import { formatChange, formatNumber } from '../../kit/format.ts';
import { Link } from '../../kit/Link.tsx';
import { Query } from '../../kit/Query.tsx';
import { pathTo } from '../../kit/router.ts';
import { t } from '../../kit/texts.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { texts as catalogue } from './texts.ts';

export const WEEK = { days: 7, limit: 5 };

type Mover = AnswerOf<'GET /analytics/movers'>['up'][number];

/** Whose score rose and fell most this week. */
export function Movers() {
  const texts = t(catalogue);
  const movers = useQuery((signal) => get('GET /analytics/movers', { query: WEEK }, signal), []);
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
    <section class="panel">
      <h2>{title}</h2>
      {movers.length === 0 && <p class="soft">{t(catalogue).nobody}</p>}
      <ul class="brief">
        {movers.map(({ userId, from, to, delta, scoreBand }) => (
          <li key={userId}>
            <Link to={pathTo('/subject/{id}', { id: userId })} title={userId}>
              <code dir="auto">{userId}</code>
            </Link>
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
    </section>
  );
}
