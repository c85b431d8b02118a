import { catalogue, t } from './texts.ts';

export const bands = ['Excellent', 'Good', 'Fair', 'Building', 'Unproven', 'High Risk'] as const;
export type BandName = (typeof bands)[number];

const names: Record<BandName, string> = {
  Excellent: 'Excellent',
  Good: 'Good',
  Fair: 'Fair',
  Building: 'Building',
  Unproven: 'Unproven',
  'High Risk': 'High Risk',
};
const texts = catalogue(names, {
  Excellent: 'Ausgezeichnet',
  Good: 'Gut',
  Fair: 'Ordentlich',
  Building: 'Im Aufbau',
  Unproven: 'Noch unbelegt',
  'High Risk': 'Hohes Risiko',
});

export function bandText(band: string): string {
  return (t(texts) as Readonly<Record<string, string>>)[band] ?? band;
}

/** A band as a word with its colour beside it: the colour alone says nothing. */
export function Band({ band }: { band: string | null }) {
  if (band === null) return <span class="soft">–</span>;
  return (
    <span class="band" data-band={band}>
      {bandText(band)}
    </span>
  );
}
