const FIRST = [
  'Aisha',
  'Ben',
  'Carla',
  'Dmitri',
  'Elena',
  'Femi',
  'Grace',
  'Hassan',
  'Ingrid',
  'Jonas',
  'Kavya',
  'Luca',
  'Mei',
  'Nadia',
  'Oscar',
  'Priya',
  'Quinn',
  'Rosa',
  'Samir',
  'Teresa',
];
const LAST = [
  'Adeyemi',
  'Bauer',
  'Costa',
  'Dubois',
  'Eriksen',
  'Ferrari',
  'Garcia',
  'Hughes',
  'Ivanova',
  'Jensen',
  'Kowalski',
  'Lopez',
  'Meyer',
  'Nguyen',
  'Olsen',
  'Petrov',
  'Rossi',
  'Schmidt',
  'Torres',
  'Weber',
];

/** The n-th made-up person, from 0: no two of the first 400 share a name. */
export function personName(index: number): string {
  const first = FIRST[index % FIRST.length] ?? '';
  // The last name moves on by one at each round through the first names, so every pair comes up once.
  const last = LAST[(index + Math.floor(index / FIRST.length)) % LAST.length] ?? '';
  return `${first} ${last}`;
}

/** The id a platform would give that person. */
export function userIdOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
