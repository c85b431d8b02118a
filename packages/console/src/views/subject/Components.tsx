import { valuesOf, wordsFor } from '../../kit/enumTexts.ts';
import { formatNumber } from '../../kit/format.ts';
import { Pair, Panel } from '../../kit/parts.tsx';
import { Query } from '../../kit/Query.tsx';
import { useGet } from '../../kit/useQuery.ts';
import { texts } from './texts.ts';

/** The components of the score, each from 0 to 100. */
export function Components({ id, version }: { id: string; version: number }) {
  const read = useGet('GET /users/{id}/score/components', { params: { id } }, { version });
  return (
    <Panel title={texts.components}>
      <Query of={read} height={200}>
        {({ components }) => (
          <dl class="pairs components">
            {valuesOf('component').map((name) => (
              <Pair key={name} name={wordsFor('component', name)}>
                {components[name] === null ? (
                  <span class="soft">{texts.unknownComponent}</span>
                ) : (
                  <>
                    <meter
                      min={0}
                      max={100}
                      value={components[name]}
                      aria-label={wordsFor('component', name)}
                    />{' '}
                    <span>{formatNumber(components[name], 1)}</span>
                  </>
                )}
              </Pair>
            ))}
          </dl>
        )}
      </Query>
    </Panel>
  );
}
