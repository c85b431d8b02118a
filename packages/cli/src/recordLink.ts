import { createClient } from '@reliability/client';
import { positionalsOf } from './arguments.js';
import type { Context } from './command.js';
import { UsageError } from './commandError.js';
import { exitCodes } from './exitCodes.js';
import { requireKey } from './settings.js';

type Link = { expiresInHours?: number; language?: 'en' | 'de' };

/** Makes the link with which a subject reads its own record, or withdraws one. */
export async function recordLink(context: Context): Promise<number> {
  const { args, output } = context;
  const { id } = positionalsOf(args, 'id');
  const expiresInHours = args.number('hours');
  const language = args.text('language') as Link['language'];
  const withdrawn = args.text('withdraw');
  if (withdrawn !== undefined && (expiresInHours !== undefined || language !== undefined))
    throw new UsageError('--withdraw ends a link. Give it without --hours and --language.');
  const { url, key } = await requireKey(context);
  const client = createClient({ baseUrl: url, key });
  if (withdrawn !== undefined) {
    await client.withdrawRecordLink(id, withdrawn);
    output.result({ recordLinkId: withdrawn, withdrawn: true }, ['The link opens nothing any more.']);
    return exitCodes.done;
  }
  const link = await client.createRecordLink(id, {
    ...(expiresInHours !== undefined && { expiresInHours }),
    ...(language !== undefined && { language }),
  });
  output.result(link, [
    link.url,
    `Valid until ${link.expiresAt}. Send it to this person alone: it opens the whole record.`,
    output.paint('dim', `Withdraw it with --withdraw ${link.recordLinkId}`),
  ]);
  return exitCodes.done;
}
