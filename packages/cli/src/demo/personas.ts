/** A pattern of work by month. Shares are 0 to 1. */
export interface Persona {
  /** Why this pattern is interesting. */
  about: string;
  phases: readonly Phase[];
}

export interface Phase {
  /** First month, counted back from today. */
  fromMonthsAgo: number;
  /** Last month; 1 is the last thirty days. */
  toMonthsAgo: number;
  jobsPerMonth: number;
  /** Shares of all jobs: not done, disputed by the customer, cancelled. The rest is done. */
  failed: number;
  contested: number;
  cancelled: number;
  /** Share of the jobs done. */
  onTime: number;
  /** Share of all outcomes that another party confirmed. */
  confirmed: number;
  /** Share of the jobs that go to one customer before the rest is shared among all. Default: 0. */
  mainCustomer?: number;
}

const reliable = { failed: 0, contested: 0, cancelled: 0.02, onTime: 0.98, confirmed: 0.95 };
const average = { failed: 0.03, contested: 0.01, cancelled: 0.06, onTime: 0.86, confirmed: 0.8 };
const careless = { failed: 0.3, contested: 0.08, cancelled: 0.1, onTime: 0.55, confirmed: 0.9 };

export const personas = {
  steady: {
    about: 'a year of confirmed work, hardly ever late',
    phases: [{ fromMonthsAgo: 12, toMonthsAgo: 1, jobsPerMonth: 8, ...reliable }],
  },
  loyal: {
    about: 'a year of confirmed work, most of it for one customer',
    phases: [{ fromMonthsAgo: 12, toMonthsAgo: 1, jobsPerMonth: 6, ...reliable, mainCustomer: 0.8 }],
  },
  solid: {
    about: 'good and human: a late job here, a missed one there',
    phases: [{ fromMonthsAgo: 12, toMonthsAgo: 1, jobsPerMonth: 5, ...average }],
  },
  tardy: {
    about: 'finishes nearly everything, and half of it late',
    phases: [{ fromMonthsAgo: 12, toMonthsAgo: 1, jobsPerMonth: 6, ...reliable, onTime: 0.5 }],
  },
  newcomer: {
    about: 'flawless so far, but only a handful of jobs: confidence is low',
    phases: [{ fromMonthsAgo: 1, toMonthsAgo: 1, jobsPerMonth: 4, ...reliable, confirmed: 1 }],
  },
  unconfirmed: {
    about: 'busy and spotless by their own account; nobody else has confirmed any of it',
    phases: [{ fromMonthsAgo: 12, toMonthsAgo: 1, jobsPerMonth: 7, ...reliable, confirmed: 0 }],
  },
  recovering: {
    about: 'missed jobs a year ago, clean for the last half year',
    phases: [
      { fromMonthsAgo: 12, toMonthsAgo: 9, jobsPerMonth: 5, ...careless },
      { fromMonthsAgo: 6, toMonthsAgo: 1, jobsPerMonth: 7, ...reliable },
    ],
  },
  falling: {
    about: 'excellent for ten months, then confirmed no-shows in the last two',
    phases: [
      { fromMonthsAgo: 12, toMonthsAgo: 3, jobsPerMonth: 8, ...reliable },
      { fromMonthsAgo: 2, toMonthsAgo: 1, jobsPerMonth: 8, ...careless, failed: 0.6 },
    ],
  },
  contested: {
    about: 'the work gets done, and customers keep disputing it',
    phases: [{ fromMonthsAgo: 12, toMonthsAgo: 1, jobsPerMonth: 5, ...average, contested: 0.2 }],
  },
  dormant: {
    about: 'a fine record that ends eight months ago and fades',
    phases: [{ fromMonthsAgo: 12, toMonthsAgo: 9, jobsPerMonth: 8, ...reliable }],
  },
  unreliable: {
    about: 'takes jobs and does not turn up, confirmed by those who waited',
    phases: [{ fromMonthsAgo: 12, toMonthsAgo: 1, jobsPerMonth: 4, ...careless, failed: 0.6, confirmed: 1 }],
  },
} as const satisfies Record<string, Persona>;
