import type { EventType } from '@reliability/scoring';
import { type WitnessType, witnessTypes } from '#domain/catalogues/enums.js';

/** A party other than the subject who can know that a claim is true. */
export interface Attester {
  /** Part of a sentence, used if the claim names no party. */
  readonly who: string;
  readonly witnessType: WitnessType;
  /** What to ask that party. */
  readonly hint: string;
}

/**
 * The witness for each event type. The witness types are those of the outcome templates; all have
 * the same weight.
 */
export const attesterOf: Readonly<Record<EventType, Attester>> = {
  TRANSACTION_COMPLETED: {
    who: 'the customer or client who received what was agreed',
    witnessType: 'customer_or_client',
    hint: 'Ask whether everything that was agreed was delivered or done, and on which day.',
  },
  TRANSACTION_DISPUTED: {
    who: 'the customer or client who contests the outcome',
    witnessType: 'customer_or_client',
    hint: 'Ask which part of the agreement is contested and whether it has been settled since.',
  },
  TRANSACTION_CANCELLED: {
    who: 'the customer or client on the other side of the cancelled order',
    witnessType: 'customer_or_client',
    hint: 'Ask whether the order was cancelled, and whether both sides owe nothing.',
  },
  REVIEW_VERIFIED: {
    who: 'the person who examined the work',
    witnessType: 'supervisor_or_reviewer',
    hint: 'Ask whether they examined this piece of work themselves and accepted it.',
  },
  CONTRACT_FULFILLED: {
    who: 'the client or employer on the other side of the contract',
    witnessType: 'customer_or_client',
    hint: 'Ask whether the contract was fulfilled, and whether by the agreed date.',
  },
  CONTRACT_CANCELLED: {
    who: 'the client or employer on the other side of the contract',
    witnessType: 'customer_or_client',
    hint: 'Ask whether the contract ended by agreement or without fault of either side.',
  },
  CONTRACT_BREACHED: {
    who: 'the client or employer to whom the obligation was owed',
    witnessType: 'customer_or_client',
    hint: 'Ask which obligation was not met, and whether the worker was the cause.',
  },
  DISPUTE_FILED: {
    who: 'the party that raised the dispute',
    witnessType: 'customer_or_client',
    hint: 'Ask which outcome is disputed, and open the dispute on that event.',
  },
  DISPUTE_RESOLVED_FOR_USER: {
    who: 'the body that decided the dispute',
    witnessType: 'independent_authority',
    hint: 'Ask for the decision and its date. The decision must name the disputed outcome.',
  },
  DISPUTE_RESOLVED_AGAINST_USER: {
    who: 'the body that decided the dispute',
    witnessType: 'independent_authority',
    hint: 'Ask for the decision and its date. The decision must name the disputed outcome.',
  },
  EDUCATION_VERIFIED: {
    who: 'the school or university that awarded it',
    witnessType: 'independent_authority',
    hint: 'Ask its registry whether the course was finished and the award made.',
  },
  SKILL_VERIFIED: {
    who: 'a person who directed or examined work that needs this skill',
    witnessType: 'supervisor_or_reviewer',
    hint: 'Ask where and how they saw the skill applied.',
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
    who: 'the client of the project, if there is one',
    witnessType: 'customer_or_client',
    hint: 'Ask whether the project was agreed with them and handed over.',
  },
};

/** Part of every analysis: who can be a witness, and how a claim becomes verified evidence. */
export const witnessGuide = {
  note: 'A document alone is not verified evidence. It becomes verified evidence when a party other than the subject confirms the outcome it describes. All types of witness have the same weight.',
  witnessTypes,
  steps: [
    'Find the other party to the outcome. `witness` suggests one for each claim.',
    'Put your reference for that party into `counterpartyRef`. It must not be the subject, its operator or your platform, in any spelling.',
    'Ask for a confirmation (`POST /confirmations`) and send the token over your own channel. A confirmed outcome is recorded as verified.',
    'For schools, employers, certificates and skills, ask for a reference (`POST /references`) instead. It counts in the verified profile and never in the score.',
    'A decline writes nothing. Every party must be free to decline.',
  ],
} as const;
