import type { AnswerOf } from '../../kit/api.ts';

export type Confirmation = AnswerOf<'GET /confirmations'>['confirmations'][number];
export type Reference = AnswerOf<'GET /references'>['references'][number];
export type RequestKind = 'confirmations' | 'references';
