import { requestOf } from '../../kit/api.ts';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { curlOf } from '../../kit/CurlButton.tsx';
import { Link } from '../../kit/Link.tsx';
import { isReadOnly } from '../../kit/session.ts';
import { texts } from './texts.ts';

const FIRST_OUTCOME = { userId: 'worker-1', eventType: 'CONTRACT_FULFILLED' };

/** The next step of a platform without a subject. */
export function EmptyBook() {
  if (isReadOnly.value) return <p>{texts.empty}</p>;
  const command = curlOf(requestOf('POST /events', { body: FIRST_OUTCOME }));
  return (
    <>
      <p>{texts.empty}</p>
      <p>{texts.report}</p>
      <pre class="code" tabIndex={0}>
        {command}
      </pre>
      <div class="actions">
        <CopyButton text={command} />
        <Link to="/imports">{texts.import}</Link>
      </div>
    </>
  );
}
