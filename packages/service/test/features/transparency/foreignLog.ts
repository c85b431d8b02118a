import {
  consistencyProof,
  formatCheckpoint,
  formatNote,
  formatVerifierKey,
  leafHash,
  sha256,
  signNoteText,
  toBase64,
  treeRoot,
  utf8,
} from '@reliability/proof';
import { testSigner } from '../../../../proof/test/keys.js';
import { createMemoryTree } from '../../../../proof/test/memoryTree.js';

/** The log of another installation, in memory. */
export function foreignLog(name: string) {
  const signer = testSigner(name);

  /** A tree of 64 leaves; each history is another one. */
  function treeOf(history: string) {
    const tree = createMemoryTree();
    tree.append(Array.from({ length: 64 }, (_, i) => leafHash(sha256(utf8(`${history} ${i}`)))));
    return tree;
  }

  const rootAt = (size: number, history = 'honest') => treeRoot(size, treeOf(history).hashOf);

  async function checkpoint(size: number, history = 'honest', by = signer): Promise<string> {
    const text = formatCheckpoint({ origin: name, size, root: rootAt(size, history), extensions: [] });
    return formatNote({ text, signatures: [await signNoteText(text, by.key, by.sign)] });
  }

  return {
    vkey: formatVerifierKey(signer.key),
    signer,
    rootAt,
    checkpoint,
    /** The body of add-checkpoint. */
    async submission(from: number, size: number, history = 'honest'): Promise<string> {
      const proof = from === 0 ? [] : consistencyProof(from, size, treeOf(history).hashOf);
      const lines = proof.map((hash) => `${toBase64(hash)}\n`).join('');
      return `old ${from}\n${lines}\n${await checkpoint(size, history)}`;
    },
  };
}
