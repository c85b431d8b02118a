import data from '../../../data/plans.json' with { type: 'json' };

/** Everything a plan can open or keep closed; `PLAN_REQUIRED` names it as `details.feature`. */
export const planFeatures = ['campaigns', 'screenings', 'agents'] as const;
export type PlanFeature = (typeof planFeatures)[number];

/** Smallest first: what one plan opens, every later one opens too. */
export const planKeys = ['starter', 'growth', 'enterprise'] as const;
export type PlanKey = (typeof planKeys)[number];

/** Caps per platform; of policies, channels and webhook endpoints each mode has its own count. */
export type PlanLimits = Readonly<Record<(typeof limitNames)[number], number>>;
export const limitNames = [
  'monitors',
  'policies',
  'notificationChannels',
  'streams',
  'webhookEndpoints',
] as const;

export interface Plan {
  readonly key: PlanKey;
  readonly name: string;
  readonly rateLimitPerMinute: number;
  /** Calls in a UTC calendar month; null means that there is no quota. */
  readonly monthlyQuota: number | null;
  readonly limits: PlanLimits;
  readonly features: readonly PlanFeature[];
}

export function planOf(key: PlanKey): Plan {
  return data.plans[key] as Plan;
}

/** 0: without limit. */
export interface Allowance {
  readonly rateLimitPerMinute: number;
  readonly monthlyQuota: number;
}

/** What holds for a platform (RULES M3): the operator's own numbers for it, else its plan's. */
export function allowanceOf(
  key: PlanKey,
  own: { rateLimitPerMinute: number | null; monthlyQuota: number | null },
): Allowance {
  const plan = planOf(key);
  return {
    rateLimitPerMinute: own.rateLimitPerMinute ?? plan.rateLimitPerMinute,
    monthlyQuota: own.monthlyQuota ?? plan.monthlyQuota ?? 0,
  };
}

export const plans: readonly Plan[] = planKeys.map(planOf);

export const anonymousRateLimitPerMinute = 120;

export function planOpens(key: PlanKey, feature: PlanFeature): boolean {
  return planOf(key).features.includes(feature);
}

export function requiredPlanOf(feature: PlanFeature): PlanKey {
  return plans.find((plan) => plan.features.includes(feature))?.key ?? 'enterprise';
}

export function plansCatalog(anonymousLimitPerMinute: number = anonymousRateLimitPerMinute) {
  return { plans, anonymousRateLimitPerMinute: anonymousLimitPerMinute, note: data.note };
}
