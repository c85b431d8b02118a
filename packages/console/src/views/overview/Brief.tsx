import type { ComponentChildren } from 'preact';
import { formatNumber } from '../../kit/format.ts';
import { Link } from '../../kit/Link.tsx';
import { Query } from '../../kit/Query.tsx';
import type { Loaded } from '../../kit/useQuery.ts';

/** Rows of a panel. The view behind it shows all. */
const SHOWN = 5;

interface BriefProps<Row> {
  title: string;
  /** Where all of them are. */
  to: string;
  of: Loaded<{ rows: readonly Row[]; hasMore?: boolean }>;
  keyOf: (row: Row) => string;
  /** What to say when there is none. */
  none: string;
  /** The two cells of a row. */
  children: (row: Row) => ComponentChildren;
}

/** A panel with a count and the first rows. Its title leads to the view of all. */
export function Brief<Row>({ title, to, of, keyOf, none, children }: BriefProps<Row>) {
  const { data } = of;
  return (
    <section class="panel">
      <h2>
        <Link to={to}>{title}</Link>
        {data && ` · ${formatNumber(data.rows.length)}${data.hasMore ? '+' : ''}`}
      </h2>
      <Query of={of} height={140}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p class="soft">{none}</p>
          ) : (
            <ul class="entries brief">
              {rows.slice(0, SHOWN).map((row) => (
                <li key={keyOf(row)}>{children(row)}</li>
              ))}
            </ul>
          )
        }
      </Query>
    </section>
  );
}
