import type { IndustryTemplates } from './template.js';

export const dentalClinical: IndustryTemplates = {
  industry: 'dental_clinical',
  label: 'Dental practice',
  description:
    'Dentists, hygienists, dental nurses and technicians: treatment steps, laboratory work and sessions.',
  templates: [
    {
      key: 'dental_treatment_step_completed',
      label: 'Planned treatment step carried out',
      description:
        'The treatment step planned for this appointment was carried out in full. Examples are a filling, a crown fitting or a hygiene visit.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The patient who was treated',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether the treatment planned for that visit was done. Put no health details into the request.',
      timingBasis:
        'dueDate is the end of the booked appointment; completedAt is when the step was signed off in the chart.',
    },
    {
      key: 'dental_lab_case_accepted',
      label: 'Laboratory case accepted at fitting',
      description:
        'A crown, bridge, denture or aligner set made to prescription was delivered and accepted by the dentist who fitted it.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The dentist who prescribed the work',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask the prescribing dentist whether the case arrived as prescribed and was used as delivered.',
      timingBasis:
        'dueDate is the delivery date on the laboratory slip; completedAt is when the case reached the practice.',
    },
    {
      key: 'dental_infection_control_check_passed',
      label: 'Infection-control check passed',
      description:
        'The decontamination steps and logs in this person’s charge were examined and met the current standard.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The health authority or the external auditor who made the check',
      witnessType: 'independent_authority',
      confirmationHint: 'Quote the report number to the inspecting body and ask it to confirm the result.',
      timingBasis:
        'dueDate is the last day by which the check had to be passed; completedAt is the date of the passing report.',
    },
    {
      key: 'dental_session_not_attended',
      label: 'Clinical session not attended',
      description:
        'This person missed a rostered session without notice, although the practice was open and patients were booked.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The practice manager who keeps the roster',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint:
        'Ask the practice manager to rule out leave, sickness reported in time and a change of roster before confirming.',
      timingBasis: 'dueDate is the start of the session; no session was held, so leave completedAt unset.',
    },
  ],
};

export const healthcareClinical: IndustryTemplates = {
  industry: 'healthcare_clinical',
  label: 'Clinical healthcare',
  description:
    'Nurses, doctors, therapists and clinical support staff: shifts, documents owed to others, reviews.',
  templates: [
    {
      key: 'clinical_shift_worked_to_handover',
      label: 'Shift worked through to handover',
      description:
        'The rostered shift was worked from start to end and the patients were handed over to the next team as the unit requires.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The charge nurse or unit manager on duty',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint:
        'Ask the person in charge of the unit whether the shift and its handover were completed.',
      timingBasis: 'dueDate is the rostered end of the shift; completedAt is when handover was finished.',
    },
    {
      key: 'clinical_discharge_letter_sent',
      label: 'Discharge or referral letter delivered',
      description: 'A letter that this clinician owed to the next clinician was signed and arrived complete.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The receiving clinic or general practice',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask the receiving office whether the letter arrived, by reference number and without naming the patient.',
      timingBasis:
        'dueDate is the time limit the service sets for such letters; completedAt is when it was received.',
    },
    {
      key: 'clinical_record_audit_passed',
      label: 'Clinical record audit passed',
      description:
        'A sample of the records this clinician kept was reviewed against the documentation standard and passed.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The clinical audit lead or a reviewer from outside the team',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask the reviewer to confirm the audit reference and the pass.',
      timingBasis: 'dueDate is the close of the audit round; completedAt is the date of the signed result.',
    },
    {
      key: 'clinical_shift_not_attended',
      label: 'Accepted shift not attended',
      description:
        'A shift that this person had accepted was not attended and no notice was given before it began.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The unit manager or the staffing office of the hospital',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint:
        'Ask the staffing office whether the shift was still assigned to this person and whether an absence had been reported.',
      timingBasis: 'dueDate is the start of the shift; it was never worked, so leave completedAt unset.',
    },
    {
      key: 'clinical_owed_follow_up_not_made',
      label: 'Assigned follow-up not made',
      description:
        'A follow-up call or result notice was assigned to this clinician. Nothing prevented it, and it was not made.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The clinical lead who reviews open follow-ups',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint:
        'Ask the lead whether contact details were valid, the task was assigned to this person and no attempt was made.',
      timingBasis:
        'dueDate is the end of the agreed follow-up period; no contact took place, so leave completedAt unset.',
    },
  ],
};

export const veterinary: IndustryTemplates = {
  industry: 'veterinary',
  label: 'Veterinary practice',
  description: 'Veterinarians, veterinary nurses and technicians, in small-animal, equine and farm practice.',
  templates: [
    {
      key: 'vet_procedure_and_discharge_completed',
      label: 'Procedure done and animal discharged',
      description:
        'The procedure the owner agreed to was carried out and the animal went home with written after-care instructions.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The owner or keeper of the animal',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask the owner whether the agreed procedure was done and the instructions were handed over.',
      timingBasis:
        'dueDate is the discharge time promised at admission; completedAt is the actual discharge.',
    },
    {
      key: 'vet_herd_visit_reported',
      label: 'Herd-health visit made and reported',
      description:
        'A scheduled visit to a farm was made and its report, with findings and treatments, was given to the farm.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The farm manager',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask the farm whether the visit took place and the written report arrived.',
      timingBasis:
        'dueDate is the report date fixed in the herd plan; completedAt is when the farm received it.',
    },
    {
      key: 'vet_controlled_drug_register_passed',
      label: 'Controlled-drug register found in order',
      description:
        'An inspection compared stock with the controlled-drug register in this person’s charge and found no gap.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The licensing body that inspected the register',
      witnessType: 'independent_authority',
      confirmationHint: 'Ask the inspecting body to confirm the visit and that the register was accepted.',
      timingBasis:
        'dueDate is the deadline for passing the inspection; completedAt is the date on its report.',
    },
    {
      key: 'vet_on_call_unanswered',
      label: 'On-call duty not answered',
      description: 'This person was on call, left emergency calls unanswered and arranged no cover.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The practice owner or the call service that keeps the call log',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint:
        'Ask for the call log. Rule out a telephone fault and another emergency at the same time.',
      timingBasis:
        'dueDate is the response time the duty promises; nobody responded, so leave completedAt unset.',
    },
  ],
};
