/**
 * What a person can have beside outcomes. Each is reported under an event type of its own (RULES
 * E11), yet is no event.
 */
export const qualificationKinds = ['employment', 'education', 'certification', 'skill'] as const;
export type QualificationKind = (typeof qualificationKinds)[number];

export const qualificationEventTypes = [
  'EDUCATION_VERIFIED',
  'SKILL_VERIFIED',
  'CERTIFICATION_VERIFIED',
  'EMPLOYMENT_VERIFIED',
] as const;
export type QualificationEventType = (typeof qualificationEventTypes)[number];

export const eventTypeOfKind: Readonly<Record<QualificationKind, QualificationEventType>> = {
  employment: 'EMPLOYMENT_VERIFIED',
  education: 'EDUCATION_VERIFIED',
  certification: 'CERTIFICATION_VERIFIED',
  skill: 'SKILL_VERIFIED',
};

export const kindOfEventType: Readonly<Record<QualificationEventType, QualificationKind>> = {
  EMPLOYMENT_VERIFIED: 'employment',
  EDUCATION_VERIFIED: 'education',
  CERTIFICATION_VERIFIED: 'certification',
  SKILL_VERIFIED: 'skill',
};
