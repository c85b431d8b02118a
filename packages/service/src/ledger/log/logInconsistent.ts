/**
 * The log does not contain what was signed before, or cannot show who signed it: signing would prove a
 * fork.
 */
export class LogInconsistent extends Error {
  override readonly name = 'LogInconsistent';

  /** @param lost the signed head that the database lacks, if it is known from outside. */
  constructor(
    message: string,
    readonly lost: string | null = null,
  ) {
    super(message);
  }
}
