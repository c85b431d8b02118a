/** Exit codes of every command. */
export const exitCodes = {
  done: 0,
  /** Refused, not reached, not verified, a difference, a failed check. */
  failed: 1,
  /** An invalid argument, option, setting or input file. Nothing was done. */
  misused: 2,
  /** Part of the rows failed, or not everything could be checked. */
  incomplete: 3,
} as const;
