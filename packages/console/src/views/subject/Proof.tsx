import { fetchCall, requestOf } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { saveFile } from '../../kit/Download.tsx';
import { Panel } from '../../kit/parts.tsx';
import { Failure } from '../../kit/Query.tsx';
import { useAction } from '../../kit/useAction.ts';
import { texts } from './texts.ts';

/** The proof of the score, checked here: what checks it is loaded when it is asked for. */
export function Proof({ id, isLive }: { id: string; isLive: boolean }) {
  const checking = useAction(async () => {
    const call = requestOf('GET /users/{id}/score/proof', { params: { id } });
    const [response, { checkProof }] = await Promise.all([fetchCall(call), import('./checkProof.ts')]);
    const text = await response.text();
    return { text, ...(await checkProof(text)) };
  });
  const { result } = checking;
  const save = (text: string) => saveFile(new Blob([text], { type: 'application/json' }), `${id}.proof.json`);
  const verdict = result && (!result.ok ? 'proofBad' : result.isComplete ? 'proofGood' : 'proofOpen');
  return (
    <Panel title={texts.proof}>
      {isLive ? (
        <>
          <p class="soft">{texts.proofLead}</p>
          <div class="actions">
            <Button
              text={checking.isBusy ? texts.checking : texts.check}
              onClick={() => void checking.run()}
              disabled={checking.isBusy}
            />
            {result && <Button text={texts.download} class="quiet" onClick={() => save(result.text)} />}
          </div>
          <div aria-live="polite">
            {result && verdict && (
              <>
                <p class={`verdict ${result.ok ? (result.isComplete ? 'good' : 'warn') : 'bad'}`}>
                  {texts[verdict]}
                </p>
                <ul class="entries">
                  {result.steps.map(({ name, ok, text }) => (
                    <li key={name} lang="en">
                      <span class={ok === null ? 'warn' : ok ? 'good' : 'bad'}>
                        {ok === null ? '?' : ok ? '✓' : '✗'}
                      </span>{' '}
                      {text}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </div>
          {checking.failure && <Failure of={checking.failure} />}
        </>
      ) : (
        <p class="soft">{texts.testOnly}</p>
      )}
    </Panel>
  );
}
