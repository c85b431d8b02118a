import {
  cosignNoteText,
  formatSignature,
  formatVerifierKey,
  parseNote,
  signatureTypes,
} from '@reliability/proof';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { givenService } from '#harness/givenService.js';
import { testSigner } from '../../../proof/test/keys.js';
import { createMemoryLog } from '../../../proof/test/memoryLog.js';
import { forged, issueFor, mint, withdraw } from '../features/sharing/sharingFixtures.js';
import { type Alias, alias, ask } from '../features/subjects/linkFixtures.js';
import { settledLog } from '../ledger/log/logDeps.js';
import { describeInBrowser, givenBrowser, type PageOptions } from './givenBrowser.js';
import { expectGoodLooks } from './looks.js';

const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true } as const;
const GENUINE = 'This credential is genuine and valid.';
const witness = testSigner('witness.example', signatureTypes.cosignature);
const PROVEN = 'This proof is genuine, and the score follows from its events.';

describeInBrowser('the page /check in Chromium', () => {
  const service = givenService('pglite', { env: { BASE_URL: 'https://svc.example' } });
  const { newPage, open } = givenBrowser();
  let of: Alias;
  let token: string;
  let proof: string;
  let receiptPath: string;

  beforeAll(async () => {
    of = await alias(service, 'checked', Array(6).fill(good));
    await service.settle();
    await settledLog(service.db);
    token = await mint(service, of);
    proof = (await ask(service, of, 'GET', '/score/proof')).text;
    receiptPath = `/events/${JSON.parse(proof).members[0].events[2].fact.eventId}/receipt`;
  });

  const readAs = async (path: string) =>
    (await service.request('GET', path, { key: of.platform.live.key })).text;
  const credential = async (query = '', shareToken = token): Promise<string> =>
    (await service.request('GET', `/verify/${shareToken}/delivery-receipts${query}`, { key: null })).body
      .credential;

  const opened = (options?: PageOptions) => open(`${service.url}/check`, options);

  /** As if the log named the witness. */
  async function naming(page: Page): Promise<void> {
    await page.route('**/.well-known/ledger-log.json', async (route) => {
      const response = await route.fetch();
      const witnesses = [formatVerifierKey(witness.key)];
      await route.fulfill({ response, json: { ...(await response.json()), witnesses } });
    });
  }

  async function cosignatureOf(text: string): Promise<string> {
    const seconds = Math.floor(Date.now() / 1000);
    return formatSignature(await cosignNoteText(text, witness.key, seconds, witness.sign)).trim();
  }

  async function checked(page: Page, text: string): Promise<{ title: string; answers: string[] }> {
    await page.locator('#text').fill(text);
    await page.getByRole('button', { name: /^(Check|Prüfen)$/ }).click();
    const title = (await page.locator('#result h2').textContent()) ?? '';
    const answers = await page.locator('.findings strong').allTextContents();
    return { title, answers };
  }

  const resultOf = async (page: Page) => (await page.locator('#result').textContent()) ?? '';

  test('a credential is found genuine, and nothing of it is sent', async () => {
    const page = await newPage();
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      requests.push(`${request.method()} ${pathname}${search} ${request.postData() ?? ''}`.trim());
    });
    await page.goto(`${service.url}/check`);
    for (const query of ['', '?format=vc1']) {
      const { title, answers } = await checked(page, await credential(query));
      expect(title).toBe(GENUINE);
      expect(answers).toEqual(Array(5).fill('Yes'));
    }
    expect(await resultOf(page)).toMatch(/The log has held the score as entry \d+ since/);
    for (const request of requests)
      expect(request).toMatch(
        /^GET \/(check|check\.js|favicon\.ico|\.well-known\/did\.json|\.well-known\/ledger-log\.json|api\/v1\/status-lists\/1|log\/checkpoint|log\/consistency\?from=\d+&to=\d+)$/,
      );
  });

  test('an Open Badge, and a whole answer of the API, are checked as well', async () => {
    const page = await opened();
    const answer = await ask(service, of, 'POST', '/open-badges');
    expect((await checked(page, answer.text)).title).toBe(GENUINE);
    expect(await page.locator('#result dl').textContent()).toContain('Open Badge');
  });

  test('a changed, a withdrawn, an expired and a stranger’s credential each get their own verdict', async () => {
    const page = await opened();
    expect(await checked(page, forged(await credential()))).toEqual({
      title: 'Do not rely on this credential: its signature is not valid.',
      answers: ['Yes', 'No'],
    });

    const other = await alias(service, 'withdrawn', [good]);
    const jwt = await credential('', await mint(service, other));
    await withdraw(service, other);
    const gone = await checked(page, jwt);
    expect(gone.title).toBe('This credential was withdrawn.');
    expect(gone.answers[3]).toBe('No');

    const now = new Date(Date.now() - 3 * 86_400_000);
    const { credential: old } = await issueFor(service, of, { now });
    const expired = await checked(page, old);
    expect(expired.title).toBe('This credential is genuine, but not valid today.');

    const issuer = 'did:web:other.example';
    const elsewhere = forged(await credential(), {}, { iss: issuer, issuer });
    expect((await checked(page, elsewhere)).title).toBe('This was not checked.');
    expect(await page.locator('#result a').getAttribute('href')).toBe('https://other.example/check');
  });

  test('a proof of a score is recomputed step by step; with one changed fact it says which step fails', async () => {
    const page = await opened();
    const whole = await checked(page, proof);
    expect(whole.title).toBe(PROVEN);
    expect(whole.answers).toEqual(Array(11).fill('Yes'));
    const changed = await checked(page, proof.replace('CONTRACT_FULFILLED', 'CONTRACT_BREACHED'));
    expect(changed.title).toBe('Do not rely on this proof.');
    const failing = page.locator('.findings li', { has: page.locator('.bad') });
    expect(await failing.first().textContent()).toContain('Does the log hold each event?');
  });

  test('what cannot be checked is refused in words', async () => {
    const page = await opened();
    for (const [text, message] of [
      ['hello', 'This is no credential'],
      ['', 'Paste a text or choose a file first.'],
      ['{"a":1}', 'This is no credential'],
      ['{"snapshot":{}}', 'Is the file complete?'],
      ['[]', 'This is no credential'],
      ['['.repeat(1_000_000) + ']'.repeat(1_000_000), 'more than 16 levels deep'],
      [proof.replace('{', '{"userId":"ben",'), 'has the name "userId" twice'],
      [proof.replace('"factors":{', '"factors":{"constructor":1,'), 'constructor'],
      ['a'.repeat(10_000_001), 'larger than 10 MB'],
    ] as const) {
      await checked(page, text);
      expect(await resultOf(page), text.slice(0, 50)).toContain(message);
    }
  });

  test('a large proof says how far its check is', async () => {
    const page = await opened();
    const memory = createMemoryLog(testSigner('svc.example/log'));
    for (let i = 0; i < 3000; i += 1) {
      memory.report('ana', {
        ...good,
        stakeLevel: 'LOW',
        platformTier: 'GROWTH',
        createdAt: new Date(),
        completedAt: null,
        dueDate: null,
      });
    }
    const large = JSON.stringify(await memory.scoreProof('ana', memory.publish('ana', new Date()), 0));
    await page.evaluate(`{
      const result = document.querySelector('#result');
      globalThis.seen = [];
      const options = { childList: true, characterData: true, subtree: true };
      new MutationObserver(() => seen.push(result.textContent)).observe(result, options);
    }`);
    expect((await checked(page, large)).title).toBe('Do not rely on this proof.');
    const seen = await page.evaluate<string[]>('seen');
    expect(seen.filter((text) => /^Checking event \d+ of 3000/.test(text))).not.toEqual([]);
  });

  test('a proof is held against the witnesses that the log names: without cosignature that stays open, with a wrong one it fails', async () => {
    const page = await opened();
    await naming(page);
    const fields = JSON.parse(proof);
    const { text } = parseNote(fields.checkpoint);
    const cosigned = async (signed: string) =>
      JSON.stringify({ ...fields, cosignatures: [await cosignatureOf(signed)] });
    const without = await checked(page, proof);
    expect(without.title).toBe('Nothing in this proof is wrong, but not everything could be checked.');
    expect(await resultOf(page)).toContain('None of 1 witnesses cosigned');
    const right = await checked(page, await cosigned(text));
    expect(right.title).toBe(PROVEN);
    expect(right.answers).toHaveLength(12);
    const wrong = await checked(page, await cosigned(text.replace(/^\S+/, 'other.example/log')));
    expect(wrong.title).toBe('Do not rely on this proof.');
  });

  test('a credential is held against the witnesses as well', async () => {
    const cosigned = async (name: string, sign: (text: string) => string): Promise<string> => {
      const subject = await alias(service, name, [good]);
      await service.settle();
      await settledLog(service.db);
      // The one that its credential will name.
      const [first] = await service.db.query<{ treeSize: number; note: string }>(
        `select c.tree_size, c.note from log_checkpoint c, log_fact f join subject s using (subject_id)
         where s.external_id = $1 and f.kind = 2 and c.tree_size > f.leaf_index order by c.tree_size limit 1`,
        [name],
      );
      const line = await cosignatureOf(sign(parseNote(first?.note ?? '').text));
      await service.db.execute('update log_checkpoint set cosignatures = $2 where tree_size = $1', [
        first?.treeSize,
        JSON.stringify([{ line }]),
      ]);
      return credential('', await mint(service, subject));
    };
    const [right, wrong] = [
      await cosigned('cosigned', (text) => text),
      await cosigned('miscosigned', (text) => text.replace(/^\S+/, 'other.example/log')),
    ];
    for (const [locale, mentions] of [
      ['en-GB', 'None of 1 witnesses cosigned'],
      ['de-DE', 'Von 1 Zeugen hat keiner'],
    ] as const) {
      const page = await opened({ locale });
      await naming(page);
      const without = await checked(page, await credential());
      expect(without.answers).toHaveLength(6);
      expect(await page.locator('.findings .open').count()).toBe(1);
      expect(await resultOf(page)).toContain(mentions);
      const genuine = await checked(page, right);
      expect(genuine.title).toMatch(/^(This credential is genuine and valid|Dieser Nachweis ist echt)/);
      expect(await page.locator('.findings .good').count()).toBe(6);
      const forked = await checked(page, wrong);
      expect(forked.title).toMatch(/^(Do not rely on this credential|Verlassen Sie sich nicht)/);
      expect(await page.locator('.findings .bad').count()).toBe(1);
    }
  });

  test('in German every sentence is German, also those of the verifier', async () => {
    const page = await opened({ locale: 'de-DE' });
    await checked(page, proof);
    const result = await resultOf(page);
    expect(result).toContain('Jeder Eintrag des Belegs steht im Protokoll: 6.');
    expect(result).toContain('Nachgerechnet mit der Formel');
    expect(result).not.toMatch(/\b(the|score|checkpoint|of)\b/);
    expect(await page.locator('#result [lang]').count()).toBe(0);
  });

  test('a receipt is checked from a file, as JSON and as tlog-proof, and against the present log', async () => {
    const page = await opened();
    for (const [path, name] of [
      [receiptPath, 'receipt.json'],
      [`${receiptPath}?format=tlog-proof`, 'receipt.tlog-proof'],
    ] as const) {
      const buffer = Buffer.from(await readAs(path));
      await page.locator('#file').setInputFiles({ name, mimeType: 'text/plain', buffer });
      await page.getByRole('heading', { name: 'This receipt is genuine.' }).waitFor();
      expect(await resultOf(page)).toContain('Is everything still in the log, unchanged?');
      await page.reload();
    }
  });

  test('works by keyboard alone, and the result gets the focus', async () => {
    const page = await opened();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('text');
    await page.keyboard.insertText(await credential());
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: GENUINE }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('result');
  });

  test('shows its text where scripts do not run', async () => {
    const page = await opened({ javaScriptEnabled: false });
    expect(await page.locator('#check').isVisible()).toBe(false);
    expect(await page.getByText('reliability verify').isVisible()).toBe(true);
  });

  test.each(['en-GB', 'de-DE'])(
    'is readable and accessible, narrow and wide, light and dark (%s)',
    async (locale) => {
      const page = await opened({ locale });
      const isEnglish = locale === 'en-GB';
      for (const [name, text] of [
        ['credential', await credential()],
        ['proof', proof],
        ['changed', proof.replace('CONTRACT_FULFILLED', 'CONTRACT_BREACHED')],
      ] as const) {
        const { title } = await checked(page, text);
        expect(title).toMatch(isEnglish ? /^(This|Do)/ : /^(Diese|Verlassen)/);
        await expectGoodLooks(page, `check-${name}-${locale.slice(0, 2)}`);
      }
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    },
  );
});
