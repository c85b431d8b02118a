import { OutboundError, type OutboundFetch } from '../../../kit/outboundFetch.js';
import type { Digest } from './digest.js';
import { quoted, SEND_TIMEOUT_MS, type SendResult } from './sendResult.js';

/** Posts a digest to an incoming webhook of Slack. Never throws. */
export async function sendToSlack(
  outbound: Pick<OutboundFetch, 'post'>,
  url: string,
  digest: Digest,
  signal: AbortSignal,
): Promise<SendResult> {
  try {
    const { status, text } = await outbound.post({
      url,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ text: slackText(digest), ...PLAIN }),
      timeoutMs: SEND_TIMEOUT_MS,
      keepBytes: 1024,
      signal,
    });
    if (status >= 200 && status < 300) return { isSent: true };
    const answerText = quoted(text, secretsOf(url));
    return {
      isSent: false,
      reason: `Slack answered ${status}${answerText === '' ? '' : `: ${answerText}`}`,
      code: `http_${status}`,
    };
  } catch (error) {
    if (error instanceof OutboundError) return { isSent: false, reason: error.message, code: error.reason };
    return { isSent: false, reason: 'The message could not be sent to Slack.', code: 'unexpected' };
  }
}

/** Texts of platforms are shown literally: no markup, no links, no previews. */
const PLAIN = { mrkdwn: false, unfurl_links: false, unfurl_media: false };

/** Slack truncates messages at 40 000 characters. */
const MAX_TEXT_LENGTH = 38_000;

/** The text of a message, escaped for Slack. */
export function slackText({ title, sentences, leftOut }: Digest): string {
  if (sentences.length === 1 && leftOut === null) return escaped(title);
  const lines = [escaped(title)];
  let length = 0;
  for (const [listed, sentence] of sentences.entries()) {
    const line = `• ${escaped(sentence)}`;
    length += line.length + 1;
    if (length > MAX_TEXT_LENGTH) {
      lines.push(`…and ${sentences.length - listed} more`);
      break;
    }
    lines.push(line);
  }
  return (leftOut === null ? lines : [...lines, escaped(leftOut)]).join('\n');
}

/** Prevents links and mentions such as `<!channel>`, which notifies a whole channel. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Parts of the URL that an answer could repeat. */
function secretsOf(url: string): string[] {
  const { pathname, search } = new URL(url);
  return [url, ...`${pathname}${search}`.split(/[/?&=]/).filter((part) => part.length >= 8)];
}
