import { createPublicKey, verify as nodeVerify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  checkSignatures,
  cosignNoteText,
  type Ed25519Verify,
  formatCheckpoint,
  formatNote,
  formatVerifierKey,
  type Note,
  openNote,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  signatureTypes,
  signNoteText,
  verifierKey,
} from '../src/index.js';
import { type TestSigner, testSigner } from './keys.js';

// The example of golang.org/x/mod/sumdb/note.
const neumannKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const neumannNote = [
  'If you think cryptography is the answer to your problem,',
  "then you don't know what your problem is.",
  '',
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
  '',
].join('\n');
// The example of tlog-cosignature.
const sofa = [
  'example.com/behind-the-sofa',
  '20852163',
  'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=',
  '',
  '— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=',
  '— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==',
  '',
].join('\n');

const log = testSigner('example.com/log');
const witness = testSigner('witness.example/w1', signatureTypes.cosignature);
const text = formatCheckpoint({
  origin: 'example.com/log',
  size: 7,
  root: new Uint8Array(32),
  extensions: [],
});

describe('a signed note', () => {
  test("is the one of Go's documentation", async () => {
    const key = parseVerifierKey(neumannKey);
    expect(formatVerifierKey(key)).toBe(neumannKey);
    const note = parseNote(neumannNote);
    expect(note.text).toBe(neumannNote.slice(0, neumannNote.indexOf('\n\n') + 1));
    expect(formatNote(note)).toBe(neumannNote);
    await expect(openNote(note, [key])).resolves.toEqual([{ key, isValid: true, unixSeconds: null }]);
    const changed = { ...note, text: note.text.replace('your', 'my') };
    await expect(openNote(changed, [key])).rejects.toThrow('The signature by PeterNeumann is not valid');
  });

  test('carries a checkpoint, also the one of the specification', () => {
    const note = parseNote(sofa);
    expect(note.signatures.map(({ name, keyId }) => [name, keyId])).toEqual([
      ['example.com/behind-the-sofa', '033de0ae'],
      ['witness.example.com/w1', '8d66cf3f'],
    ]);
    const checkpoint = parseCheckpoint(note.text);
    expect(checkpoint).toMatchObject({
      origin: 'example.com/behind-the-sofa',
      size: 20_852_163,
      extensions: [],
    });
    expect(formatCheckpoint(checkpoint)).toBe(note.text);
  });

  test('is accepted with the signatures of known keys, and those of others are ignored', async () => {
    const stranger = testSigner('example.com/log');
    const note = await signed(log, stranger);
    await expect(openNote(note, [log.key])).resolves.toHaveLength(1);
    await expect(openNote(note, [log.key, stranger.key])).resolves.toHaveLength(2);
    await expect(openNote(note, [testSigner('example.com/log').key])).rejects.toThrow(
      'not signed by a known key',
    );
    await expect(openNote(note, [])).rejects.toThrow('not signed by a known key');
    // The same id under another name is another key.
    const renamed = { ...log.key, name: 'example.com/other' };
    await expect(openNote(note, [renamed])).rejects.toThrow('not signed by a known key');
  });

  test('is refused with one wrong signature of a known key beside a right one', async () => {
    const other = testSigner('example.com/other');
    const note = await signed(log, other);
    const broken = note.signatures.map((signature, i) =>
      i === 1
        ? { ...signature, signature: signature.signature.with(9, 0xff ^ (signature.signature[9] as number)) }
        : signature,
    );
    await expect(openNote({ ...note, signatures: broken }, [log.key, other.key])).rejects.toThrow(
      'The signature by example.com/other is not valid',
    );
    await expect(openNote({ ...note, signatures: broken }, [log.key])).resolves.toHaveLength(1);
  });

  test('has the same valid signatures for WebCrypto and for node', async () => {
    const byNode: Ed25519Verify = (publicKey, message, signature) => {
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
      return nodeVerify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
    };
    const note = await signed(log);
    await expect(openNote(note, [log.key], byNode)).resolves.toEqual(await openNote(note, [log.key]));
    await expect(openNote({ ...note, text: `${note.text}x\n` }, [log.key], byNode)).rejects.toThrow(
      'not valid',
    );
  });

  test.each([
    ['no empty line', 'text\n— a AAAAAAA=\n', 'no empty line'],
    ['no newline at its end', neumannNote.slice(0, -1), 'has no newline'],
    ['no signature', 'text\n\n', 'Not a signature line: ""'],
    ['a carriage return', neumannNote.replace('problem,\n', 'problem,\r\n'), 'control character "\\r"'],
    ['a tab', `\t${neumannNote}`, 'control character "\\t"'],
    ['a lone surrogate', `\ud800${neumannNote}`, 'not valid Unicode'],
    ['another dash', neumannNote.replace('—', '-'), 'Not a signature line: "- PeterNeumann'],
    ['base64 without padding', neumannNote.replace('AM=\n', 'AM\n'), 'Not a signature line'],
    ['base64 with stray bits', neumannNote.replace('AM=\n', 'AN=\n'), 'Not a signature line'],
    ['a signature of no bytes', 'text\n\n— a x08gow==\n', 'Not a signature line'],
    ['a plus in a name', 'text\n\n— a+b x08gowA=\n', 'Not a signature line'],
    ['white space in a name', 'text\n\n— a\u00a0b x08gowA=\n', 'Not a signature line'],
    ['two spaces', 'text\n\n— a  x08gowA=\n', 'Not a signature line'],
    ['101 signatures', `text\n\n${'— a x08gowA=\n'.repeat(101)}`, '101 signatures, at most 100'],
  ])('with %s is refused in words', (_, note, message) => {
    expect(() => parseNote(note)).toThrow(message);
  });

  test('that would be read differently is not written', () => {
    const signature = { name: 'a', keyId: '00000001', signature: new Uint8Array(64) };
    expect(() => formatNote({ text: 'no newline', signatures: [signature] })).toThrow('no empty line');
    expect(() => formatNote({ text: '', signatures: [signature] })).toThrow('no empty line');
    expect(() => formatNote({ text: 'text\n', signatures: [] })).toThrow('Not a signature line');
    expect(() => formatNote({ text: 'text\n', signatures: [{ ...signature, name: 'a b' }] })).toThrow();
  });
});

describe('a cosignature', () => {
  test('tells when the witness signed, and holds for that time alone', async () => {
    const cosignature = await cosignNoteText(text, witness.key, 1_679_315_147, witness.sign);
    const note = { text, signatures: [cosignature] };
    await expect(openNote(parseNote(formatNote(note)), [witness.key])).resolves.toEqual([
      { key: witness.key, isValid: true, unixSeconds: 1_679_315_147 },
    ]);
    for (let byte = 0; byte < cosignature.signature.length; byte += 1) {
      const changed = cosignature.signature.with(byte, 1 ^ (cosignature.signature[byte] as number));
      const [checked] = await checkSignatures(
        { text, signatures: [{ ...cosignature, signature: changed }] },
        [witness.key],
      );
      expect(checked?.isValid, `byte ${byte}`).toBe(false);
    }
  });

  test('is no signature of a log, and the other way round', async () => {
    const asLog = { ...witness.key, type: signatureTypes.ed25519 };
    const asWitness = { ...log.key, type: signatureTypes.cosignature };
    const cosignature = await cosignNoteText(text, witness.key, 5, witness.sign);
    const plain = await signed(log);
    await expect(openNote({ text, signatures: [cosignature] }, [asLog])).rejects.toThrow('not valid');
    await expect(openNote(plain, [asWitness])).rejects.toThrow('not valid');
  });
});

describe('a verifier key', () => {
  test('comes back from its text, of both types', () => {
    for (const { key } of [log, witness]) expect(parseVerifierKey(formatVerifierKey(key))).toEqual(key);
    expect(formatVerifierKey(witness.key)).toMatch(/^witness\.example\/w1\+[0-9a-f]{8}\+B[A-Za-z0-9+/]+$/);
  });

  test.each([
    ['no key', '', 'has the form name+'],
    ['no id', 'PeterNeumann+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW', 'has the form'],
    ['another id', neumannKey.replace('c74f20a3', 'c74f20a4'), 'is c74f20a3, not c74f20a4'],
    ['an id in capitals', neumannKey.replace('c74f20a3', 'C74F20A3'), 'has the form'],
    ['another name', neumannKey.replace('Peter', 'Paul'), 'The id of the verifier key PaulNeumann'],
    ['white space in the name', neumannKey.replace('Peter', 'Peter '), 'no white space'],
    ['an unknown type', neumannKey.replace('+AR', '+BR'), 'the unknown signature type 5'],
    ['a key too short', 'PeterNeumann+c74f20a3+ARpc', 'has 32 bytes, not 2'],
    ['bad base64', `${neumannKey}=`, 'has the form'],
  ])('with %s is refused in words', (_, key, message) => {
    expect(() => parseVerifierKey(key)).toThrow(message);
  });

  test('that is no point of the curve verifies nothing', async () => {
    const key = verifierKey(log.key.name, new Uint8Array(32).fill(0xff));
    const [signature] = (await signed(log)).signatures;
    const note = { text, signatures: [{ ...signature, keyId: key.id } as Note['signatures'][number]] };
    await expect(openNote(note, [key])).rejects.toThrow('not valid');
  });
});

describe('the text of a checkpoint', () => {
  const root = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
  test.each([
    ['two lines', `a\n1\n`, 'at least three lines'],
    ['no newline at its end', `a\n1\n${root}`, 'at least three lines'],
    ['an empty origin', `\n1\n${root}\n`, 'none empty'],
    ['an empty extension', `a\n1\n${root}\n\n`, 'none empty'],
    ['a leading zero', `a\n01\n${root}\n`, 'Not the size of a log: "01"'],
    ['a sign', `a\n+1\n${root}\n`, 'Not the size of a log'],
    ['a size past 2^53', `a\n9007199254740993\n${root}\n`, 'Not the size of a log'],
    ['a short root', 'a\n1\nCsUYag==\n', 'Not the base64 of 32 bytes'],
    ['a root with stray bits', `a\n1\n${root.replace('2I=', '2J=')}\n`, 'Not the base64'],
  ])('with %s is refused in words', (_, checkpoint, message) => {
    expect(() => parseCheckpoint(checkpoint)).toThrow(message);
  });

  test('keeps further lines, and is not written with an origin of two lines', () => {
    expect(parseCheckpoint(`a\n0\n${root}\nmore\nand more\n`).extensions).toEqual(['more', 'and more']);
    const checkpoint = { origin: 'a\nb', size: 1, root: new Uint8Array(32), extensions: [] };
    expect(() => formatCheckpoint(checkpoint)).toThrow('Not the size of a log: "b"');
  });
});

async function signed(...signers: TestSigner[]): Promise<Note> {
  const signatures = await Promise.all(signers.map(({ key, sign }) => signNoteText(text, key, sign)));
  return parseNote(formatNote({ text, signatures }));
}
