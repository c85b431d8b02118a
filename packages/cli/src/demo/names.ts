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

/** The fictional person with this index, from 0. The first 400 have distinct names. */
export function personName(index: number): string {
  const first = FIRST[index % FIRST.length] ?? '';
  // Each pass through the first names shifts the last names by one, so every pair occurs once.
  const last = LAST[(index + Math.floor(index / FIRST.length)) % LAST.length] ?? '';
  return `${first} ${last}`;
}

/** The id a platform would give that person. */
export function userIdOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
