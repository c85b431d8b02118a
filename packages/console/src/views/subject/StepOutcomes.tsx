import { wordsFor } from '../../kit/enumTexts.ts';
import { formatNumber } from '../../kit/format.ts';
import { useQuery } from '../../kit/Query.tsx';
import { isWithin, type Move } from './Moved.tsx';
import { texts } from './texts.ts';

interface StepOutcomesProps {
  /** Of the whole chart. Null: the number of outcomes alone. */
  read: (() => Promise<Move>) | null;
  /** The step: from the end of one day to the end of another. */
  after: string;
  upTo: string;
  count: number;
}

/** More do not fit on a phone. */
const SHOWN = 4;

/** The outcomes of a step, for the tooltip of the chart. */
export function StepOutcomes({ read, after, upTo, count }: StepOutcomesProps) {
  const { data } = useQuery(async () => read?.(), [read]);
  if (count === 0) return null;
  const found = data ? outcomesIn(data, after, upTo) : [];
  const rest = count - Math.min(SHOWN, found.length);
  return (
    <>
      {found.slice(0, SHOWN).map((text, index) => (
        <div key={index} dir="auto">
          {text}
        </div>
      ))}
      {found.length === 0 ? (
        <div>{texts.inStep(formatNumber(count))}</div>
      ) : (
        rest > 0 && <div class="soft">{texts.more(formatNumber(rest))}</div>
      )}
    </>
  );
}

function outcomesIn({ parts }: Move, after: string, upTo: string): string[] {
  return parts.flatMap(({ eventType, outcomes }) =>
    outcomes
      .filter(({ at }) => at !== null && isWithin(at, after, upTo))
      .map(({ confirmedBy }) =>
        [eventType && wordsFor('eventType', eventType), confirmedBy].filter(Boolean).join(' · '),
      ),
  );
}
