import type { IndustryTemplates } from './template.js';

export const hospitalityFood: IndustryTemplates = {
  industry: 'hospitality_food',
  label: 'Hospitality and food',
  description: 'Kitchens, restaurants, hotels and caterers, and the people who work in them.',
  templates: [
    {
      key: 'food_service_shift_worked',
      label: 'Service shift worked',
      description: 'A kitchen, floor or reception shift was worked from opening tasks to closing tasks.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The shift leader',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask the shift leader whether the shift and its closing tasks were done.',
      timingBasis: 'dueDate is the rostered end of the shift; completedAt is the clock-out time.',
    },
    {
      key: 'food_catering_order_served',
      label: 'Catering order served',
      description:
        'The ordered menu was served for the agreed number of guests, with allergens marked as agreed.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The host who placed the order',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the ordered menu was served for the number agreed.',
      timingBasis: 'dueDate is the serving time in the order; completedAt is when service began.',
    },
    {
      key: 'food_hygiene_inspection_passed',
      label: 'Food-hygiene inspection passed',
      description: 'The kitchen this person runs was inspected and met the food-safety requirements.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The food-safety inspector',
      witnessType: 'independent_authority',
      confirmationHint: 'Refer to the public inspection report; the inspectorate can confirm its number.',
      timingBasis: 'dueDate is the day by which compliance was required; completedAt is the inspection date.',
    },
    {
      key: 'food_confirmed_order_not_provided',
      label: 'Confirmed catering order not provided',
      description:
        'A confirmed and paid order was not provided at the event, and the cause lies with the caterer.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The host who placed the order',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the event took place as ordered and the venue let the caterer in.',
      timingBasis:
        'dueDate is the serving time in the order; no food was provided, so leave completedAt unset.',
    },
  ],
};

export const retailCustomerService: IndustryTemplates = {
  industry: 'retail_customer_service',
  label: 'Retail and customer service',
  description: 'Shop staff, support agents and order desks, in person, by telephone and online.',
  templates: [
    {
      key: 'retail_case_settled',
      label: 'Customer case settled',
      description: 'A customer’s case was closed with the agreed remedy.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The customer whose case it was',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the agreed remedy arrived, not whether the customer liked the person.',
      timingBasis:
        'dueDate is the answer time promised to the customer; completedAt is when the remedy was carried out.',
    },
    {
      key: 'retail_collection_order_collected',
      label: 'Order prepared and collected',
      description: 'An order was picked in full and was ready when the customer came for it.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The shop system that records the collection against payment',
      witnessType: 'payment_or_marketplace',
      confirmationHint: 'Use the collection scan; it exists only when the customer took the goods.',
      timingBasis: 'dueDate is the promised ready time; completedAt is when the order was ready.',
    },
    {
      key: 'retail_stock_count_confirmed',
      label: 'Stock count confirmed',
      description:
        'A count or cash-up in this person’s charge agreed with the recount within the allowed difference.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The store manager or stock auditor who made the recount',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask the person who recounted to confirm the result by count number.',
      timingBasis: 'dueDate is the close of the counting day; completedAt is when the count was handed in.',
    },
    {
      key: 'retail_promised_remedy_not_given',
      label: 'Promised remedy not given',
      description:
        'This agent promised a refund, replacement or call-back, was able to give it and never did.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The customer to whom it was promised',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Check first that policy, stock and authority allowed the remedy; if not, the outcome is the company’s.',
      timingBasis:
        'dueDate is the date promised to the customer; nothing was given, so leave completedAt unset.',
    },
  ],
};

export const eventsProduction: IndustryTemplates = {
  industry: 'events_production',
  label: 'Events and production',
  description: 'Stage, sound, light, rigging and event crews, and the suppliers an event depends on.',
  templates: [
    {
      key: 'event_setup_ready_for_doors',
      label: 'Set-up ready for doors',
      description: 'The contracted set-up was complete and tested when the doors opened.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The production manager or organiser',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the set-up was complete and tested before doors.',
      timingBasis:
        'dueDate is the ready time on the running order; completedAt is when the set-up was signed off.',
    },
    {
      key: 'event_crew_call_worked',
      label: 'Crew call worked',
      description: 'A crew member worked the whole call, including load-in or load-out if booked.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The crew chief',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask the crew chief to confirm the name on the signed call sheet.',
      timingBasis: 'dueDate is the planned end of the call; completedAt is the sign-out on the call sheet.',
    },
    {
      key: 'event_temporary_structure_approved',
      label: 'Temporary structure approved',
      description:
        'A stage, stand or rigging point built by this person or crew was inspected and approved for use.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The safety inspector or independent structural engineer',
      witnessType: 'independent_authority',
      confirmationHint: 'Ask the inspector to confirm the sign-off sheet of the structure.',
      timingBasis: 'dueDate is the inspection time on the schedule; completedAt is the time of approval.',
    },
    {
      key: 'event_contracted_supply_absent',
      label: 'Contracted supply absent on the day',
      description: 'Contracted crew or equipment did not arrive, although the event went ahead as planned.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The organiser of the event',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the event took place as planned and the site was accessible.',
      timingBasis: 'dueDate is the load-in time; nothing was supplied, so leave completedAt unset.',
    },
  ],
};
