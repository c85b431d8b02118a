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
  return planTable[key];
}

/** How much a platform may call; 0 is without limit. */
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

const planTable: Record<PlanKey, Plan> = {
  starter: {
    key: 'starter',
    name: 'Starter',
    rateLimitPerMinute: 120,
    monthlyQuota: 50_000,
    limits: { monitors: 10, policies: 5, notificationChannels: 3, streams: 2, webhookEndpoints: 50 },
    features: [],
  },
  growth: {
    key: 'growth',
    name: 'Growth',
    rateLimitPerMinute: 600,
    monthlyQuota: 1_000_000,
    limits: { monitors: 100, policies: 50, notificationChannels: 10, streams: 10, webhookEndpoints: 50 },
    features: ['campaigns'],
  },
  enterprise: {
    key: 'enterprise',
    name: 'Enterprise',
    rateLimitPerMinute: 60_000,
    monthlyQuota: null,
    limits: { monitors: 1000, policies: 500, notificationChannels: 50, streams: 50, webhookEndpoints: 50 },
    features: planFeatures,
  },
};

export const plans: readonly Plan[] = planKeys.map(planOf);

/**
 * Requests a minute for one address without a valid key, unless the operator configures another
 * number.
 */
export const anonymousRateLimitPerMinute = 120;

/** Whether a plan opens a feature. Callers with a test key are never asked (RULES M3). */
export function planOpens(key: PlanKey, feature: PlanFeature): boolean {
  return planOf(key).features.includes(feature);
}

/** The smallest plan that opens a feature, for `details.requiredPlan` of `PLAN_REQUIRED`. */
export function requiredPlanOf(feature: PlanFeature): PlanKey {
  return plans.find((plan) => plan.features.includes(feature))?.key ?? 'enterprise';
}

/**
 * The body of `GET /plans`. The operator may have configured another limit for requests without a
 * key.
 */
export function plansCatalog(anonymousLimitPerMinute: number = anonymousRateLimitPerMinute) {
  return { plans, anonymousRateLimitPerMinute: anonymousLimitPerMinute, note };
}

const note =
  'A plan sets how often a platform may call, how much it may set up and which tools are open to it. No plan and no payment moves a score: the formula never sees the plan.';
