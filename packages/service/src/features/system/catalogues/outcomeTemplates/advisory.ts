import type { IndustryTemplates } from './template.js';

export const professionalServices: IndustryTemplates = {
  industry: 'professional_services',
  label: 'Professional services',
  description:
    'Translators, surveyors, recruiters, virtual assistants and others who work to an engagement letter.',
  templates: [
    {
      key: 'professional_engagement_concluded',
      label: 'Engagement concluded as agreed',
      description: 'Everything in the engagement letter was delivered and the client closed the engagement.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The client who signed the engagement letter',
      witnessType: 'customer_or_client',
      confirmationHint: 'Send the list of deliverables and ask whether each was received.',
      timingBasis:
        'dueDate is the end date in the letter with agreed changes; completedAt is the last delivery.',
    },
    {
      key: 'professional_milestone_accepted',
      label: 'Milestone accepted',
      description: 'A part of the engagement that has its own acceptance was delivered and accepted.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The platform that released the milestone’s payment',
      witnessType: 'payment_or_marketplace',
      confirmationHint:
        'Use a release that the client made. An automatic release after a time limit confirms nothing.',
      timingBasis:
        'dueDate is the milestone date; completedAt is when the milestone was submitted, not when it was paid.',
    },
    {
      key: 'professional_second_reader_passed',
      label: 'Work passed by a second professional',
      description: 'A colleague of the same profession who had no part in the work checked and passed it.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The reviewing professional',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask the reviewer whether the work passed in the state in which it was delivered.',
      timingBasis:
        'dueDate is the date for the review; completedAt is when the version that passed was submitted.',
    },
    {
      key: 'professional_deliverable_not_supplied',
      label: 'Deliverable never supplied',
      description: 'A deliverable that was agreed and paid for, or due for payment, was never supplied.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The client who signed the engagement letter',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the client had given all it owed: documents, access and payments due.',
      timingBasis:
        'dueDate is the date agreed for the deliverable; nothing was supplied, so leave completedAt unset.',
    },
  ],
};

export const financeAccounting: IndustryTemplates = {
  industry: 'finance_accounting',
  label: 'Finance and accounting',
  description: 'Bookkeepers, accountants, payroll clerks and tax preparers.',
  templates: [
    {
      key: 'accounting_return_filed',
      label: 'Return filed and acknowledged',
      description: 'A tax or statutory return was filed and the authority acknowledged it.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The tax office or register that issued the acknowledgement',
      witnessType: 'independent_authority',
      confirmationHint: 'The acknowledgement number is the confirmation. Send no amounts.',
      timingBasis:
        'dueDate is the statutory deadline with granted extensions; completedAt is the date of acknowledgement.',
    },
    {
      key: 'accounting_period_closed',
      label: 'Accounting period closed',
      description:
        'The books of a month or quarter were reconciled and closed, and the reports were given to the client.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The owner or finance lead of the client',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the closed period’s reports have been received.',
      timingBasis:
        'dueDate is the agreed closing date plus the days by which the client’s papers were late; completedAt is when the reports were sent.',
    },
    {
      key: 'accounting_payroll_paid',
      label: 'Payroll run paid out',
      description: 'A payroll run was prepared and every payment in it was carried out by the bank.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The bank or payroll provider that carried out the payments',
      witnessType: 'payment_or_marketplace',
      confirmationHint:
        'Use the bank’s notice that the batch was executed. It shows that no payment was returned.',
      timingBasis: 'dueDate is pay day; completedAt is the value date of the payments.',
    },
    {
      key: 'accounting_books_passed_audit',
      label: 'Books passed the audit',
      description: 'An outside audit of the books this person keeps ended without a material objection.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The independent auditor',
      witnessType: 'independent_authority',
      confirmationHint: 'Ask the auditor to confirm the period and that the opinion is unqualified.',
      timingBasis:
        'dueDate is the date agreed for the audit opinion; completedAt is the date on the opinion.',
    },
    {
      key: 'accounting_deadline_left_unfiled',
      label: 'Return not filed',
      description: 'This person was engaged to file a return, had all the papers and did not file it.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The client who received the authority’s notice',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask when the client handed over the last paper needed; late papers excuse a late return.',
      timingBasis: 'dueDate is the statutory deadline; no return was filed, so leave completedAt unset.',
    },
  ],
};

export const consulting: IndustryTemplates = {
  industry: 'consulting',
  label: 'Consulting',
  description: 'Independent consultants and small firms that advise organisations.',
  templates: [
    {
      key: 'consulting_final_report_accepted',
      label: 'Final report accepted',
      description: 'The report answers the questions in the statement of work and the client accepted it.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The sponsor in the client’s organisation',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the report was accepted, not whether the client agrees with its advice.',
      timingBasis:
        'dueDate is the report date in the statement of work; completedAt is when the accepted version was sent.',
    },
    {
      key: 'consulting_workshop_held',
      label: 'Workshop held and documented',
      description:
        'A planned workshop or interview round was held and its record sent to those who took part.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'A participant named by the client',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask a participant whether the workshop took place and its record was sent out.',
      timingBasis: 'dueDate is the date promised for the record; completedAt is when the record was sent.',
    },
    {
      key: 'consulting_retainer_month_served',
      label: 'Retainer month served',
      description: 'The days or hours reserved for a month were worked and the invoice was paid in full.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The payment service that settled the invoice',
      witnessType: 'payment_or_marketplace',
      confirmationHint:
        'Use the settled invoice. How fast the client pays says nothing about the consultant.',
      timingBasis: 'dueDate is the last day of the month; completedAt is the last day worked in it.',
    },
    {
      key: 'consulting_commissioned_work_abandoned',
      label: 'Commission abandoned',
      description:
        'The consultant stopped before the agreed result, gave no notice and delivered nothing usable.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The sponsor in the client’s organisation',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether the client had ended the project, withheld payment or changed the assignment.',
      timingBasis:
        'dueDate is the date of the agreed result; no result was delivered, so leave completedAt unset.',
    },
  ],
};
