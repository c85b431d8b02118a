import { fetchCall, requestOf } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { saveFile } from '../../kit/Download.tsx';
import { Panel } from '../../kit/parts.tsx';
import { Failure } from '../../kit/Query.tsx';
import type { Call } from '../../kit/session.ts';
import { useAction } from '../../kit/useAction.ts';
import { texts } from './texts.ts';

/** The proof of the score. */
export function Proof({ id, isLive }: { id: string; isLive: boolean }) {
  return (
    <Panel title={texts.proof}>
      {isLive ? (
        <ProofCheck
          call={requestOf('GET /users/{id}/score/proof', { params: { id } })}
          lead={texts.proofLead}
          good={texts.proofGood}
          fileName={`${id}.proof.json`}
        />
      ) : (
        <p class="soft">{texts.testOnly}</p>
      )}
    </Panel>
  );
}

interface ProofCheckProps {
  /** Answers with a proof or a receipt. */
  call: Call<unknown>;
  lead: string;
  /** Said when every step holds. */
  good: string;
  fileName: string;
}

/** A proof or receipt, checked here: what checks it is loaded when it is asked for. */
export function ProofCheck({ call, lead, good, fileName }: ProofCheckProps) {
  const checking = useAction(async () => {
    const [response, { checkProof }] = await Promise.all([fetchCall(call), import('./checkProof.ts')]);
    const text = await response.text();
    return { text, ...(await checkProof(text)) };
  });
  const { result } = checking;
  const save = (text: string) => saveFile(new Blob([text], { type: 'application/json' }), fileName);
  return (
    <>
      <p class="soft">{lead}</p>
      <div class="actions">
        <Button
          text={checking.isBusy ? texts.checking : texts.check}
          onClick={() => void checking.run()}
          disabled={checking.isBusy}
        />
        {result && <Button text={texts.download} class="quiet" onClick={() => save(result.text)} />}
      </div>
      <div aria-live="polite">
        {result && (
          <>
            <p class={`verdict ${result.ok ? (result.isComplete ? 'good' : 'warn') : 'bad'}`}>
              {!result.ok ? texts.proofBad : result.isComplete ? good : texts.proofOpen}
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
  );
}
