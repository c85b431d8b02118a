import { Panel } from '../../kit/parts.tsx';
import './installation.css';
import { requestOf } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { Failure } from '../../kit/Query.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAction.ts';
import { texts } from './texts.ts';

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
      <table class="sweeps">
        <tbody>
          {SWEEPS.map((name) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{texts.sweepTexts[name]}</td>
              <td class="end">
                <button
                  type="button"
                  disabled={act.isBusy}
                  aria-label={texts.runOf(name)}
                  onClick={() => run(name)}
                >
                  {texts.run}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {act.failure && <Failure of={act.failure} />}
    </Panel>
  );
}
