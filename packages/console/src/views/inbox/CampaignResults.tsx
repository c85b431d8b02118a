import { Button } from '../../kit/Button.tsx';
import { saveFile } from '../../kit/Download.tsx';
import { kitTexts } from '../../kit/kitTexts.ts';
import { Figures, Tile } from '../../kit/parts.tsx';
import { session } from '../../kit/session.ts';
import type { Language } from '../../kit/texts.ts';
import { messagesFile } from './campaignRows.ts';
import { texts } from './texts.ts';
import type { Campaign } from './useCampaign.ts';

interface CampaignResultsProps {
  of: Campaign;
  language: Language;
  onClose: () => void;
}

const MAX_SHOWN = 50;

/** What became of the rows. The links are known now only. */
export function CampaignResults({ of: { results, expiresAt }, language, onClose }: CampaignResultsProps) {
  const asked = results.flatMap(({ row, result: { confirmUrl } }) =>
    confirmUrl === undefined ? [] : [{ row, confirmUrl }],
  );
  const failed = results.filter(({ result }) => result.status === 'failed');
  const known = results.length - asked.length - failed.length;
  const save = () => {
    const platform = session.peek()?.platform?.name ?? '';
    saveFile(messagesFile(asked, language, { platform, expiresAt: expiresAt ?? '' }), 'messages.csv');
  };
  return (
    <>
      <dl class="tiles">
        <Tile name={texts.askedNow} value={asked.length} />
        <Tile name={texts.askedBefore} value={known} />
        <Tile name={texts.failed} value={failed.length} class={failed.length > 0 ? 'bad' : undefined} />
      </dl>
      {failed.length > 0 && (
        <Figures
          label={texts.failed}
          rows={failed.slice(0, MAX_SHOWN).map(({ row, result }) => ({
            key: row.rowKey,
            cells: [row.rowKey, messageOf(result.error)],
          }))}
        />
      )}
      {asked.length > 0 && <p class="note">{texts.linksOnce}</p>}
      <div class="actions">
        {asked.length > 0 && <Button text={texts.saveMessages} class="primary" onClick={save} />}
        <Button text={kitTexts.close} onClick={onClose} />
      </div>
    </>
  );
}

/** The fields that are wrong, else the message. */
function messageOf(error: { message: string; details?: unknown } | undefined): string {
  const details = Array.isArray(error?.details)
    ? (error.details as { path?: string; message?: string }[])
    : [];
  const fields = details.map(({ path, message }) => `${path?.replace(/^rows\.\d+\.?/, '')}: ${message}`);
  return fields.length > 0 ? fields.join(' ') : (error?.message ?? '');
}
