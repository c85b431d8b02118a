import type { IndustryTemplates } from './template.js';

export const legal: IndustryTemplates = {
  industry: 'legal',
  label: 'Legal services',
  description:
    'Lawyers, notaries, paralegals and legal aid. A court’s decision is never an outcome of the lawyer.',
  templates: [
    {
      key: 'legal_filing_accepted',
      label: 'Filing accepted',
      description: 'A submission was filed in the required form and the court or register accepted it.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The registry of the court or the public register',
      witnessType: 'independent_authority',
      confirmationHint:
        'The registry’s receipt is the confirmation. Do not name the parties or the subject matter.',
      timingBasis: 'dueDate is the procedural deadline; completedAt is the filing time on the receipt.',
    },
    {
      key: 'legal_mandate_concluded',
      label: 'Mandate concluded',
      description:
        'All steps of the mandate were taken and the file was closed with a final account to the client.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The client',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the agreed steps were taken, not whether the case was won.',
      timingBasis:
        'dueDate is a closing date agreed with the client, else unset; completedAt is the final account.',
    },
    {
      key: 'legal_draft_passed_review',
      label: 'Draft passed legal review',
      description:
        'A contract, opinion or pleading drafted by this person passed the review of the responsible lawyer.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The responsible lawyer who reviewed the draft',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask the reviewer to confirm by file number that the draft was passed.',
      timingBasis:
        'dueDate is the internal date for the draft; completedAt is when the passed version was handed in.',
    },
    {
      key: 'legal_procedural_deadline_missed',
      label: 'Procedural deadline missed',
      description: 'This person was responsible for a deadline, filed nothing and had no extension.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The registry that shows no filing',
      witnessType: 'independent_authority',
      confirmationHint:
        'Rule out that the client gave instructions not to file or did not supply the necessary papers.',
      timingBasis: 'dueDate is the procedural deadline; nothing was filed, so leave completedAt unset.',
    },
  ],
};

export const realEstate: IndustryTemplates = {
  industry: 'real_estate',
  label: 'Real estate',
  description: 'Agents, letting and property managers, inventory clerks and valuers.',
  templates: [
    {
      key: 'property_sale_completed',
      label: 'Sale or letting completed',
      description:
        'A transaction that this agent handled was completed, and documents and funds were handed over.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The notary, escrow or closing agent',
      witnessType: 'independent_authority',
      confirmationHint:
        'Ask the closing agent to confirm the completion by file number, without price or names.',
      timingBasis: 'dueDate is the completion date in the contract; completedAt is the day of completion.',
    },
    {
      key: 'property_viewing_held',
      label: 'Viewing held',
      description: 'An arranged viewing took place with the agent present.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The person who came to view',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the agent was there and the property could be seen.',
      timingBasis: 'dueDate is the arranged time of the viewing; completedAt is when it began.',
    },
    {
      key: 'property_condition_report_agreed',
      label: 'Condition report agreed',
      description: 'A check-in or check-out report was accepted as accurate by both landlord and tenant.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The tenant and the landlord who signed the report',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask the side that did not pay for the report to confirm its signature.',
      timingBasis: 'dueDate is the day the report was due; completedAt is when it was sent to both sides.',
    },
    {
      key: 'property_urgent_repair_not_arranged',
      label: 'Urgent repair not arranged',
      description:
        'An urgent repair was reported. The manager had the authority and the funds but did not arrange it.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The tenant who reported the fault',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Check whether the owner refused the cost or no tradesperson was available. Then the outcome is not the manager’s.',
      timingBasis:
        'dueDate is the end of the repair period that applies; no repair was arranged, so leave completedAt unset.',
    },
  ],
};
