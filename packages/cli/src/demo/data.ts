import type { EventType, PlatformTier, StakeLevel } from '@reliability/scoring';
import names from '../../data/demo/names.json' with { type: 'json' };
import personas from '../../data/demo/personas.json' with { type: 'json' };
import platforms from '../../data/demo/platforms.json' with { type: 'json' };
import story from '../../data/demo/story.json' with { type: 'json' };

/** A pattern of work. */
export interface Persona {
  /** Why this pattern is interesting. */
  about: string;
  phases: readonly Phase[];
}

/** Shares are from 0 to 1; left out: 0. */
export interface Phase {
  /** First and last month, counted back from today; 1 is the last 31 days. */
  from: number;
  to: number;
  /** Jobs a month, one more or less. */
  jobs: number;
  /** Shares of all jobs: not done, disputed by the customer, cancelled. The rest is done. */
  failed?: number;
  contested?: number;
  cancelled?: number;
  /** Share of the jobs done. */
  onTime: number;
  /** Share of the outcomes that another party confirmed. */
  confirmed: number;
  /** Share of the jobs that go to one customer before the rest is shared among all. */
  mainCustomer?: number;
}

/** A job that a story needs. */
export interface ToldJob {
  daysAgo: number;
  outcome: 'failed' | 'late';
  stakeLevel: StakeLevel;
  customer: string;
  job: string;
}

/** One platform of the demo: how it works, and who works there. */
export interface PlatformPlan {
  /** What the story calls it. */
  key: string;
  name: string;
  trustTier: PlatformTier;
  /** Prefix of its order numbers. */
  code: string;
  /** `daily` by POST /ingest, `fortnightly` by a file. */
  reports: 'daily' | 'fortnightly';
  /** Prefix of numbered ids. Default: ids are made from names. */
  ids?: string;
  done: EventType;
  failed: EventType;
  cancelled: EventType;
  jobs: readonly string[];
  /** They confirm outcomes. The first is the main customer of everyone who has one. */
  customers: readonly string[];
  /** Lowest and highest worth of a job. */
  worth: readonly number[];
  /** Share of the finished jobs whose customer is asked on a page, instead of being named in the report. */
  asked: number;
  /** Rows that cannot be read, of the file of these two weeks. */
  spoilt?: { daysAgo: number; rows: readonly string[] };
  people: readonly { name: string; persona: string; isShown?: boolean; jobs?: readonly ToldJob[] }[];
  /** How many more of each persona, who are named in turn. */
  crowd: Readonly<Record<string, number>>;
}

/** Something that happens once, in this order. */
export interface Act {
  daysAgo: number;
  on: string;
  /** An operation of the client with its arguments. `{a.b}` stands for a member of an earlier answer, `{day:5}` for a moment five days ago. */
  call?: string;
  args?: readonly unknown[];
  /** The name of its answer. */
  as?: string;
  /** How the counterparties that it asks answer, some days later. */
  answers?: Answers;
  /** Many outcomes of one subject at once. */
  flood?: { userId: string; outcomes: number };
  /** A subject objects to its newest outcome of a type, through the record link of an earlier answer. */
  objects?: { link: string; about: string; text: string };
}

export type Answers = 'most' | 'confirm' | 'decline';

export interface Person {
  userId: string;
  name: string;
  about: string;
  isShown: boolean;
  phases: readonly Phase[];
  told: readonly ToldJob[];
}

export const demoStory = story as readonly Act[];
export const demoPlatforms = platforms as readonly unknown[] as readonly PlatformPlan[];

/** The people of each platform, by its key. Nobody of the crowd is on two. */
export const demoPeople: Readonly<Record<string, readonly Person[]>> = Object.fromEntries(peopleOfAll());

function* peopleOfAll(): Iterable<[key: string, people: Person[]]> {
  let named = 0;
  for (const { key, people, crowd, ids } of demoPlatforms) {
    const others = Object.entries(crowd).flatMap(([persona, count]) => Array<string>(count).fill(persona));
    const all: PlatformPlan['people'] = [
      ...people,
      ...others.map((persona) => ({ name: names[named++] ?? '', persona })),
    ];
    yield [
      key,
      all.map(({ name, persona, isShown = false, jobs = [] }, index) => ({
        userId: ids === undefined ? idOf(name) : `${ids}${1001 + index}`,
        name,
        ...((personas as Readonly<Record<string, Persona>>)[persona] as Persona),
        isShown,
        told: jobs,
      })),
    ];
  }
}

/** Letters that are no letter with a mark, by their code. */
const LETTERS: Readonly<Record<string, string>> = { 142: 'l', f8: 'o', 131: 'i', 111: 'd', df: 'ss' };

/** A name in plain letters: `bjorn-o-hara`. */
function idOf(name: string): string {
  const marked = name.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  const plain = marked.replace(
    /[\u0080-\u017f]/g,
    (letter) => LETTERS[letter.charCodeAt(0).toString(16)] ?? '',
  );
  return plain.replace(/[^a-z0-9]+/g, '-');
}
