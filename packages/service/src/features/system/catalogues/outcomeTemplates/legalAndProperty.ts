import type { IndustryTemplates } from './template.js';

export const legal: IndustryTemplates = {
  industry: 'legal',
  label: 'Legal services',
  description:
    'Lawyers, notaries, paralegals and legal aid. How a court decides is never an outcome of the lawyer.',
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
        'The registry’s receipt is the confirmation. Name neither parties nor subject matter.',
      timingBasis: 'dueDate is the procedural deadline; completedAt is the filing time on the receipt.',
    },
    {
      key: 'legal_mandate_concluded',
      label: 'Mandate concluded',
      description:
        'The steps the mandate called for were taken and the file was closed with a final account to the client.',
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
        'A contract, opinion or pleading drafted by this person passed the review by a responsible lawyer.',
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
      description:
        'A deadline in this person’s charge went by with no filing, and no extension had been granted.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The registry that shows no filing',
      witnessType: 'independent_authority',
      confirmationHint:
        'Rule out that the client had instructed not to file or had not given the papers needed.',
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
        'A transaction this agent handled was completed, with documents and funds where they belong.',
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
        'A manager with the authority and the funds to do so did not arrange an urgent repair that had been reported.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The tenant who reported the fault',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Check whether the owner refused the cost or no trade was to be had; then it is not the manager’s.',
      timingBasis:
        'dueDate is the end of the repair period in force; no repair was arranged, so leave completedAt unset.',
    },
  ],
};
