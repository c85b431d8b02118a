import type { AnswerOf } from '../../kit/api.ts';
import { wordsFor } from '../../kit/enumTexts.ts';
import { formatPoints } from '../../kit/format.ts';
import { bandText } from '../../kit/parts.tsx';
import { Query, useGet } from '../../kit/Query.tsx';
import { ScoreStep } from '../../kit/ScoreStep.tsx';
import { texts } from './texts.ts';

type Suggestion = AnswerOf<'GET /users/{id}/score/suggestions'>['suggestions'][number];

/** What would raise the score, with the score that follows if it is done today. */
export function Suggestions({ id, version }: { id: string; version: number }) {
  const read = useGet('GET /users/{id}/score/suggestions', { params: { id } }, { version });
  return (
    <>
      <h3>{texts.suggestions}</h3>
      <Query of={read} height={96}>
        {({ next, current, suggestions }) => (
          <>
            {next && <p>{texts.nextBand(bandText(next.scoreBand), formatPoints(next.scoreMin))}</p>}
            <ul class="entries">
              {suggestions.map((suggestion) => (
                <li key={[suggestion.kind, suggestion.eventType, suggestion.isVerified].join()}>
                  {sentenceOf(suggestion)}
                  <br />
                  <ScoreStep
                    baseline="record"
                    current={{ score: current.finalScore }}
                    projected={{ score: suggestion.finalScore, band: suggestion.scoreBand }}
                    delta={{ score: suggestion.delta }}
                  />
                </li>
              ))}
            </ul>
            {suggestions.length === 0 && <p class="soft">{texts.noSuggestion}</p>}
          </>
        )}
      </Query>
    </>
  );
}

function sentenceOf({ kind, count, eventType, isVerified }: Suggestion): string {
  if (kind !== 'dispute') return texts.suggested[kind](count);
  const words = eventType ? wordsFor('eventType', eventType) : '';
  return texts.suggested.dispute(`${words} (${isVerified ? texts.isVerified : texts.unverified})`);
}
