import './installation.css';
import { requestOf } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { Failure } from '../../kit/Query.tsx';
import { t } from '../../kit/texts.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAct.ts';
import { texts as catalogue } from './texts.ts';

const SWEEPS = ['reminders', 'expiry', 'disputes', 'decay', 'benchmarks', 'retention'] as const;

/** The periodic work, to be run now. */
export function Sweeps() {
  const texts = t(catalogue);
  const act = useAct();

  async function run(name: string): Promise<void> {
    const answer = await act.run(requestOf('POST /admin/sweeps/{name}', { params: { name } }));
    if (answer) toast(texts.ran(name, formatNumber(answer.affected)));
  }

  return (
    <section class="panel">
      <h2>{texts.sweeps}</h2>
      <p class="soft">{texts.sweepsNote}</p>
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
    </section>
  );
}
