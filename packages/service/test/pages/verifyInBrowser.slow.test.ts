import { fileURLToPath } from 'node:url';
import { signatureTypes, type Verification } from '@reliability/proof';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { testSigner } from '../../../proof/test/keys.js';
import { createMemoryLog } from '../../../proof/test/memoryLog.js';
import { browserPath, launchBrowser, newContext } from './browser.js';

const EVENTS = 1000;
const log = testSigner('scores.example/log');
const witness = testSigner('witness.example', signatureTypes.cosignature);
const now = new Date();

describe.skipIf(browserPath === undefined)('packages/proof in Chromium', () => {
  let browser: Browser;
  let website: Receiver;
  let page: Page;

  beforeAll(async () => {
    [browser, website] = await Promise.all([launchBrowser(), startReceiver()]);
    const script = await bundled();
    website.react(() => ({
      status: 200,
      headers: { 'Content-Type': 'text/html' },
      body: `<!doctype html><html lang="en"><title>Verifier</title><script>${script}</script></html>`,
    }));
    page = await (await newContext(browser)).newPage();
    // WebCrypto needs a secure context, which loopback is.
    await page.goto(website.url);
  });
  afterAll(() => Promise.all([browser?.close(), website?.close()]));

  function verifyInPage(proof: unknown): Promise<Verification & { ms: number }> {
    return page.evaluate(
      `(async () => {
        const { verify } = ReliabilityProof;
        const reviveKey = (key) => ({ ...key, publicKey: Uint8Array.from(key.publicKey) });
        const options = {
          logKey: reviveKey(${jsonOf(log.key)}),
          witnesses: [reviveKey(${jsonOf(witness.key)})],
          now: new Date(${JSON.stringify(now)}),
        };
        const text = ${JSON.stringify(JSON.stringify(proof))};
        const times = [];
        let verification;
        for (let run = 0; run < 5; run += 1) {
          const start = performance.now();
          verification = await verify(JSON.parse(text), options);
          times.push(performance.now() - start);
        }
        return { ...verification, ms: Math.min(...times) };
      })()`,
    );
  }

  test(`verifies a score of ${EVENTS} events in every step, and finds a changed one`, async () => {
    const memory = createMemoryLog(log, [witness]);
    for (let i = 0; i < EVENTS; i += 1) {
      for (const userId of ['ana', 'ben', 'eve'])
        memory.report(userId, {
          eventType: i % 9 === 0 ? 'CONTRACT_BREACHED' : 'CONTRACT_FULFILLED',
          stakeLevel: 'MEDIUM',
          platformTier: 'GROWTH',
          isVerified: i % 2 === 0,
          createdAt: new Date(now.getTime() - (EVENTS - i) * 60_000),
          completedAt: null,
          dueDate: null,
        });
    }
    const snapshot = memory.publish('ana', now);
    const proof = await memory.scoreProof('ana', snapshot, Math.floor(now.getTime() / 1000));
    const { ms, ...verification } = await verifyInPage(proof);
    console.log(`verified ${EVENTS} events in ${Math.round(ms)} ms`);
    expect(verification).toMatchObject({ ok: true, isComplete: true });

    const [{ subject, events }] = proof.members as [{ subject: string; events: { fact: object }[] }];
    const [first, ...others] = events;
    const changed = {
      ...proof,
      members: [{ subject, events: [{ ...first, fact: { ...first?.fact, isVerified: false } }, ...others] }],
    };
    const { steps } = await verifyInPage(changed);
    expect(steps.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual([
      'events',
      'completeness',
      'score',
      'reasons',
    ]);
  });
});

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../../proof/src/index.ts', import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    globalName: 'ReliabilityProof',
    platform: 'browser',
    conditions: ['source'],
  });
  return outputFiles[0]?.text ?? '';
}

function jsonOf(key: { publicKey: Uint8Array }): string {
  return JSON.stringify({ ...key, publicKey: [...key.publicKey] });
}
