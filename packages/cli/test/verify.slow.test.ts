import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTlogProof, formatVerifierKey, type ReceiptFields, signatureTypes } from '@reliability/proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testSigner } from '../../proof/test/keys.js';
import { createMemoryLog } from '../../proof/test/memoryLog.js';
import { scratchFolder } from '../../service/test/harness/scratchFolder.js';
import { runCli } from './runCli.js';

const log = testSigner('scores.example/log');
const witness = testSigner('witness.example', signatureTypes.cosignature);
const key = formatVerifierKey(log.key);
const signedAt = new Date();

describe('reliability verify', () => {
  let folder: string;
  let proof: string;
  let receipt: ReceiptFields;

  beforeAll(async () => {
    folder = scratchFolder('reliability-verify-command-');
    const memory = createMemoryLog(log, [witness]);
    const [first = ''] = ['ana', 'ben', 'ana', 'ana'].map((userId) =>
      memory.report(userId, {
        eventType: 'CONTRACT_FULFILLED',
        stakeLevel: 'HIGH',
        platformTier: 'GROWTH',
        isVerified: true,
        createdAt: signedAt,
        completedAt: new Date(signedAt.getTime() - 86_400_000),
        dueDate: null,
      }),
    );
    const snapshot = memory.publish('ana', signedAt);
    const unixSeconds = Math.floor(signedAt.getTime() / 1000);
    receipt = (await memory.receipt(first, unixSeconds)) as unknown as ReceiptFields;
    proof = JSON.stringify(await memory.scoreProof('ana', snapshot, unixSeconds));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function fileOf(content: string): string {
    const file = join(folder, 'proof.json');
    writeFileSync(file, content);
    return file;
  }

  test('verifies a score in every step, without configuration or a service', async () => {
    const witnesses = ['--witness', formatVerifierKey(witness.key), '--max-age', '600'];
    const { code, output, errors } = await verify([fileOf(proof), '--key', key, ...witnesses]);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toMatch(
      /^ok +checkpoint +scores\.example\/log signed the checkpoint of its first 5 facts\.$/m,
    );
    expect(output).toMatch(/^ok +witnesses +1 of 1 witnesses cosigned the checkpoint: witness\.example\.$/m);
    expect(output).toMatch(/^ok +completeness +All events from position 1 to 3 are here/m);
    expect(output).toMatch(
      /^ok +score +Recomputed by formula [\d.]+ as of \S+: [\d.]+ \(.+\) with confidence/m,
    );
    expect(output).toMatch(/^ok +reasons +Recomputed as of \S+: the same points of each factor, lowered by/m);
    expect(output).toMatch(/\nVerified\.\n$/);
  });

  test('says which step fails after one digit of a fact was changed, also as JSON', async () => {
    const changed = fileOf(proof.replace('"stakeLevel":"HIGH"', '"stakeLevel":"HIGh"'));
    const { code, output } = await verify([changed, '--key', key]);
    expect(code).toBe(1);
    expect(output).toMatch(/^FAILED +events +.*do not lead to the root of the checkpoint: event 1\./m);
    expect(output).toMatch(/\nNot verified\.\n$/);
    const asJson = await verify([changed, '--key', key, '--json']);
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.output)).toMatchObject({ kind: 'score proof', ok: false });
  });

  test('verifies a receipt in the form tlog-proof, with its cosignatures', async () => {
    const args = ['--key', key, '--witness', formatVerifierKey(witness.key)];
    const { code, output } = await verify([fileOf(formatTlogProof(receipt)), ...args]);
    expect(code).toBe(0);
    expect(output).toMatch(/^ok +event +The log holds the event at index 0\.$/m);
    const other = formatTlogProof({ ...receipt, fact: { ...receipt.fact, position: 2 } });
    expect(await verify([fileOf(other), ...args])).toMatchObject({ code: 1 });
  });

  test('does not call a proof verified where no key was given', async () => {
    const { code, output } = await verify([fileOf(proof)]);
    expect(code).toBe(3);
    expect(output).toMatch(/^not checked +checkpoint +Not checked who signed/m);
    expect(output).toMatch(/\nNothing failed, but not everything was checked\.\n$/);
  });

  test('compares with a checkpoint or a proof that was kept, and says if that one was changed', async () => {
    const kept = join(folder, 'kept');
    const compared = async (content: string) => {
      writeFileSync(kept, content);
      const { code, output } = await verify([fileOf(proof), '--key', key, '--kept', kept]);
      return `${code} ${output}`;
    };
    expect(await compared(JSON.parse(proof).checkpoint)).toMatch(
      /^0 [\s\S]*^ok +history +The kept checkpoint has the same facts\.$/m,
    );
    expect(await compared(proof)).toMatch(
      /^0 [\s\S]*^ok +kept +The events of the kept file are here at the same place/m,
    );
    expect(await compared(proof.replace('"position":1', '"position":9'))).toMatch(
      /^1 [\s\S]*^FAILED +kept +The kept file does not lead to its own checkpoint/m,
    );
    writeFileSync(kept, JSON.parse(proof).checkpoint);
    const consistency = join(folder, 'consistency.json');
    writeFileSync(consistency, '{"from":1,"to":5}');
    const { code, errors } = await verify([fileOf(proof), '--kept', kept, '--consistency', consistency]);
    expect([code, errors]).toEqual([2, `${consistency} has no proof\n`]);
  });

  test('refuses a name that occurs twice', async () => {
    const { code, output } = await verify([fileOf(proof.replace('{', '{"userId":"ben",')), '--key', key]);
    expect([code, output]).toEqual([1, expect.stringContaining('has the name "userId" twice')]);
  });

  test.each<[string, string, string[], string]>([
    ['no JSON', 'not json', [], 'is not JSON'],
    ['another option', '{}', ['--kay', key], "Unknown option '--kay'"],
    ['another id', '{}', ['--key', key.replace(/\+[0-9a-f]{8}/, '+00000000')], 'The id of the verifier key'],
    ['no number', '{}', ['--quorum', 'all'], '--quorum needs a whole number, not all'],
    ['two files', '{}', ['other.json'], "Unexpected argument 'other.json'"],
  ])('with %s explains itself and exits with 2', async (_, content, args, message) => {
    const { code, output, errors } = await verify([fileOf(content), ...args]);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toContain(message);
    expect(errors).not.toContain('    at ');
  });

  test('with a file that does not exist names it', async () => {
    const { code, errors } = await verify(['/nowhere/proof.json']);
    expect([code, errors]).toEqual([2, expect.stringContaining('ENOENT')]);
  });
});

function verify(args: string[]) {
  return runCli(['verify', ...args]);
}
