import { get } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { Query } from '../../kit/Query.tsx';
import { t } from '../../kit/texts.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { texts as catalogue } from './texts.ts';

const NAMES = [
  'reliability',
  'timeliness',
  'trustworthiness',
  'verification',
  'consistency',
  'momentum',
] as const;

/** The components of the score, each from 0 to 100. */
export function Components({ id, version }: { id: string; version: number }) {
  const texts = t(catalogue);
  const read = useQuery(
    (signal) => get('GET /users/{id}/score/components', { params: { id } }, signal),
    [id, version],
  );
  return (
    <section class="panel">
      <h2>{texts.components}</h2>
      <Query of={read} height={200}>
        {({ components }) => (
          <dl class="pairs components">
            {NAMES.map((name) => (
              <div key={name}>
                <dt>{texts[name]}</dt>
                <dd>
                  {components[name] === null ? (
                    <span class="soft">{texts.unknownComponent}</span>
                  ) : (
                    <>
                      <meter min={0} max={100} value={components[name]} aria-label={texts[name]} />{' '}
                      <span>{formatNumber(components[name], 1)}</span>
                    </>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Query>
    </section>
  );
}
