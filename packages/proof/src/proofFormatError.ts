/** A proof that is not of a documented form. The message names the place and what is wrong. */
export class ProofFormatError extends Error {
  override name = 'ProofFormatError';
}
