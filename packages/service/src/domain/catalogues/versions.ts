import { FORMULA_VERSION, REASON_CODES_VERSION } from '@reliability/scoring';

/** The versions that travel in payloads, each in the answers of its own part (RULES Y4). */
export const versions = {
  api: 'v1',
  formula: FORMULA_VERSION,
  reasonCodes: REASON_CODES_VERSION,
  earnings: '1.0',
  professionalRecord: '1.1',
  verifiedProfile: '1.0',
  benchmarks: '1.0',
  outcomeTemplates: '1.2',
} as const;
