import type { EventType, PlatformTier } from '@reliability/scoring';
import { type Persona, personas } from './personas.js';

/** One platform of the demo: its event types, and the number of subjects of each persona. */
export interface PlatformPlan {
  /** A later run finds the platform by this name. */
  name: string;
  trustTier: PlatformTier;
  /** Prefix of its order numbers. */
  code: string;
  done: EventType;
  failed: EventType;
  cancelled: EventType;
  jobs: readonly string[];
  /** They confirm outcomes. The first is the main customer of everyone who has one. */
  customers: readonly string[];
  /** Lowest and highest worth of a job. */
  worth: readonly [number, number];
  /** People with a story, by name. */
  spotlights: readonly { name: string; persona: Persona }[];
  /** The rest of the book: how many of each kind. */
  crowd: readonly { persona: Persona; count: number }[];
}

const {
  steady,
  loyal,
  solid,
  tardy,
  newcomer,
  unconfirmed,
  recovering,
  falling,
  contested,
  dormant,
  unreliable,
} = personas;

export const demoPlatforms: readonly PlatformPlan[] = [
  {
    name: 'Harbor Shifts (demo)',
    trustTier: 'ENTERPRISE',
    code: 'HS',
    done: 'CONTRACT_FULFILLED',
    failed: 'CONTRACT_BREACHED',
    cancelled: 'CONTRACT_CANCELLED',
    jobs: [
      'Evening bar shift',
      'Banquet service',
      'Kitchen porter',
      'Reception, early shift',
      'Stewarding, match day',
    ],
    customers: [
      'Grand Pier Hotel',
      'Anchor Brewery Tap',
      'Bayside Conference Centre',
      'Beacon Theatre',
      'Captain’s Table',
      'City Stadium',
      'Dockside Kitchen',
      'Eastgate Catering',
      'Fisherman’s Hall',
      'Gull & Compass',
      'Harbour Museum Café',
      'Hotel Miramar',
      'Lighthouse Events',
      'Marina Club',
      'Northquay Arena',
      'Old Customs House',
      'Palm Court Hotel',
      'Seaview Banqueting',
      'St Brendan’s College',
      'Tidewater Restaurant',
    ],
    worth: [80, 260],
    spotlights: [
      { name: 'Ada Okafor', persona: steady },
      { name: 'Liam Novak', persona: tardy },
      { name: 'Yuki Tanaka', persona: falling },
      { name: 'Greg Mills', persona: unreliable },
      { name: 'Ruth Keller', persona: loyal },
    ],
    crowd: [
      { persona: steady, count: 39 },
      { persona: solid, count: 36 },
      { persona: tardy, count: 12 },
      { persona: newcomer, count: 10 },
      { persona: recovering, count: 5 },
      { persona: falling, count: 4 },
      { persona: dormant, count: 5 },
      { persona: unreliable, count: 4 },
    ],
  },
  {
    name: 'Fixit Homes (demo)',
    trustTier: 'GROWTH',
    code: 'FH',
    done: 'TRANSACTION_COMPLETED',
    failed: 'CONTRACT_BREACHED',
    cancelled: 'TRANSACTION_CANCELLED',
    jobs: [
      'Boiler service',
      'Bathroom tiling',
      'Socket replacement',
      'Gutter repair',
      'Garden fence',
      'Leak call-out',
    ],
    customers: households(),
    worth: [60, 1800],
    spotlights: [
      { name: 'Tom Becker', persona: recovering },
      { name: 'Maria Santos', persona: unconfirmed },
      { name: 'Nora Lindqvist', persona: newcomer },
      { name: 'Omar Haddad', persona: dormant },
    ],
    crowd: [
      { persona: steady, count: 18 },
      { persona: solid, count: 24 },
      { persona: tardy, count: 9 },
      { persona: newcomer, count: 8 },
      { persona: unconfirmed, count: 7 },
      { persona: contested, count: 5 },
      { persona: dormant, count: 5 },
    ],
  },
];

function households(): string[] {
  const streets = [
    'Alder Road',
    'Bridge Street',
    'Chapel Lane',
    'Elm Court',
    'Mill Lane',
    'Orchard Avenue',
    'Rowan Close',
    'Station Road',
  ];
  const numbers = Array.from({ length: 15 }, (_, index) => 2 + index * 3);
  return streets.flatMap((street) => numbers.map((number) => `${number} ${street}`));
}
