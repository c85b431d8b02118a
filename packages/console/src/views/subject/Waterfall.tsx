import type { AnswerOf } from '../../kit/api.ts';
import { formatChange, formatNumber } from '../../kit/format.ts';
import { Panel } from '../../kit/parts.tsx';
import { type Loaded, Query } from '../../kit/Query.tsx';
import { type Reason, reasonText } from './reasonTexts.ts';
import { texts } from './texts.ts';

type Explanation = AnswerOf<'GET /users/{id}/score/explain'>;

/** Where every score begins: the factors add up to the difference. */
const START = 20;
/** Where the grid has its lines, in points. */
const AXIS = [0, 25, 50, 75, 100];

/** The score from its start to its value, factor by factor, and the reasons. */
export function Waterfall({ of }: { of: Loaded<Explanation> }) {
  return (
    <Panel title={texts.factors}>
      <Query of={of} height={320}>
        {({ factors, finalScore, reasonCodes }) => (
          <>
            <table class="waterfall">
              <tbody>
                <Bar title={texts.start} from={0} to={START} value={formatNumber(START, 2)} kind="whole" />
                {withStarts(factors).map(({ name, contribution, description, start }) => (
                  <Bar
                    key={name}
                    title={texts[name]}
                    note={description}
                    from={start}
                    to={start + contribution}
                    value={formatChange(contribution)}
                    kind={contribution < 0 ? 'down' : 'up'}
                  />
                ))}
                <Bar
                  title={texts.sum}
                  from={0}
                  to={finalScore}
                  value={formatNumber(finalScore, 2)}
                  kind="whole"
                />
              </tbody>
              <tfoot aria-hidden="true">
                <tr>
                  <td />
                  <td class="waterfall-axis">
                    {AXIS.map((points) => (
                      <span key={points} style={{ left: `${points}%` }}>
                        {points}
                      </span>
                    ))}
                  </td>
                  <td />
                </tr>
              </tfoot>
            </table>
            <Reasons title={texts.reasons} reasons={reasonCodes.adverseActionReasons} />
            <Reasons title={texts.supports} reasons={reasonCodes.supportingFactors} />
          </>
        )}
      </Query>
    </Panel>
  );
}

function withStarts(factors: Explanation['factors']) {
  let start = START;
  return factors.map((factor) => {
    const placed = { ...factor, start };
    start += factor.contribution;
    return placed;
  });
}

interface BarProps {
  title: string;
  note?: string;
  from: number;
  to: number;
  value: string;
  kind: 'whole' | 'up' | 'down';
}

function Bar({ title, note, from, to, value, kind }: BarProps) {
  const low = Math.max(0, Math.min(from, to));
  const width = Math.abs(to - from);
  return (
    <tr>
      <th scope="row" title={note}>
        {title}
      </th>
      <td class="waterfall-place" aria-hidden="true">
        <div class={`waterfall-bar ${kind}`} style={{ marginInlineStart: `${low}%`, width: `${width}%` }} />
      </td>
      <td class="end">{value}</td>
    </tr>
  );
}

function Reasons({ title, reasons }: { title: string; reasons: readonly Reason[] }) {
  return (
    <>
      <h3 class="reasons-title">{title}</h3>
      {reasons.length === 0 && <p class="soft">{texts.none}</p>}
      <ul class="entries">
        {reasons.map((reason) => {
          const { title: name, description, figure } = reasonText(reason);
          return (
            <li key={reason.code}>
              <strong>{name}</strong> · {figure}
              <p class="soft">{description}</p>
            </li>
          );
        })}
      </ul>
    </>
  );
}
