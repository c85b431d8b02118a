/** Kinds of facts as `log_fact.kind` stores them. */
export const factKinds = {
  event: 1,
  snapshot: 2,
  declaration: 3,
  link: 4,
  disputeOpened: 5,
  disputeEnded: 6,
  freeze: 7,
  shareToken: 8,
  note: 9,
  erasure: 10,
} as const;

/** The subject of facts about the log itself. */
export const LOG_ITSELF = '00000000-0000-0000-0000-000000000000';
