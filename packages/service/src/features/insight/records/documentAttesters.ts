import type { EventType } from '@reliability/scoring';
import { type WitnessType, witnessTypes } from '../../../domain/catalogues/guidance.js';

/** Who besides the subject can know that a claim is true. */
export interface Witness {
  /** Used where the claim names nobody. Reads on in a sentence. */
  readonly who: string;
  readonly witnessType: WitnessType;
  /** What to ask that party. */
  readonly hint: string;
}

/** The witness for each kind of claim; the types are those of the outcome templates, and none weighs more than another. */
export const witnessOf: Readonly<Record<EventType, Witness>> = {
  TRANSACTION_COMPLETED: {
    who: 'the customer or client who received what was agreed',
    witnessType: 'customer_or_client',
    hint: 'Ask whether everything that was agreed has arrived or been done, and on which day.',
  },
  TRANSACTION_DISPUTED: {
    who: 'the customer or client who contests the outcome',
    witnessType: 'customer_or_client',
    hint: 'Ask which part of the agreement is contested and whether it has been settled since.',
  },
  TRANSACTION_CANCELLED: {
    who: 'the customer or client on the other side of the cancelled order',
    witnessType: 'customer_or_client',
    hint: 'Ask whether the order was called off, and that nothing is owed by either side.',
  },
  REVIEW_VERIFIED: {
    who: 'the person who examined the work',
    witnessType: 'supervisor_or_reviewer',
    hint: 'Ask whether they examined this very piece of work themselves and found it in order.',
  },
  CONTRACT_FULFILLED: {
    who: 'the client or employer on the other side of the contract',
    witnessType: 'customer_or_client',
    hint: 'Ask whether what the contract asks for was delivered, and whether by the day it names.',
  },
  CONTRACT_CANCELLED: {
    who: 'the client or employer on the other side of the contract',
    witnessType: 'customer_or_client',
    hint: 'Ask whether the contract ended by agreement or without anybody being answerable for it.',
  },
  CONTRACT_BREACHED: {
    who: 'the client or employer to whom the obligation was owed',
    witnessType: 'customer_or_client',
    hint: 'Ask which obligation was not met, and whether the cause lay with the worker at all.',
  },
  DISPUTE_FILED: {
    who: 'the party that raised the dispute',
    witnessType: 'customer_or_client',
    hint: 'Ask which outcome is disputed, and have the dispute opened on that event.',
  },
  DISPUTE_RESOLVED_FOR_USER: {
    who: 'the body that decided the dispute',
    witnessType: 'independent_authority',
    hint: 'Ask for the decision and its date; it has to name the outcome it is about.',
  },
  DISPUTE_RESOLVED_AGAINST_USER: {
    who: 'the body that decided the dispute',
    witnessType: 'independent_authority',
    hint: 'Ask for the decision and its date; it has to name the outcome it is about.',
  },
  EDUCATION_VERIFIED: {
    who: 'the school or university that awarded it',
    witnessType: 'independent_authority',
    hint: 'Ask its registry whether the course was finished and the award made.',
  },
  SKILL_VERIFIED: {
    who: 'a person who directed or examined work that takes this skill',
    witnessType: 'supervisor_or_reviewer',
    hint: 'Ask where and how they saw the skill at work.',
  },
  CERTIFICATION_VERIFIED: {
    who: 'the body that issued the certificate or licence',
    witnessType: 'independent_authority',
    hint: 'Ask whether it was issued to this person, and until when it is valid.',
  },
  EMPLOYMENT_VERIFIED: {
    who: 'the employer, or a supervisor from that time',
    witnessType: 'supervisor_or_reviewer',
    hint: 'Ask for the role and for the first and the last day of the employment.',
  },
  PROJECT_LOGGED: {
    who: 'the person or firm for whom the project was made, where there is one',
    witnessType: 'customer_or_client',
    hint: 'Ask whether the project was agreed with them and handed over.',
  },
};

/** Part of every analysis: who can be a witness, and how a document becomes evidence. */
export const witnessGuide = {
  note: 'A document shows what somebody wrote. It becomes verified evidence when a party other than the subject confirms the very outcome it tells of. No type of witness counts for more than another.',
  witnessTypes,
  steps: [
    'Find the party that saw the outcome from the other side; `witness` names a fitting one for each claim.',
    'Put your reference for that party into `counterpartyRef`. It must not be the subject, who runs it, or your platform, under any spelling.',
    'Ask for a confirmation (`POST /confirmations`) and pass the token on over a channel of your own; what is confirmed is recorded as verified.',
    'For schools, employers, certificates and skills ask for a reference (`POST /references`) instead: it feeds the verified profile and never the score.',
    'A decline writes nothing. Whoever is asked must be free to say no.',
  ],
} as const;
