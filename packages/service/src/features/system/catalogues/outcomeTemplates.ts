import { witnessTypes } from '#domain/catalogues/enums.js';
import { versions } from '#domain/catalogues/versions.js';
import data from '../../../../data/outcomeTemplates.json' with { type: 'json' };

export type OutcomeTemplateCatalog = typeof catalog;

const catalog = {
  version: versions.outcomeTemplates,
  note: data.note,
  industries: data.templates.map(({ industry, label }) => ({ industry, label })),
  witnessTypes,
  fieldGuide: data.fieldGuide,
  notTheWorkersOutcome: data.notTheWorkersOutcome,
  templates: data.templates,
  disclosures: data.disclosures,
};

/**
 * The body of `GET /outcome-templates`. With `industry`, `templates` holds only that industry,
 * while `industries` still lists all of them. Returns `undefined` for an unknown industry.
 */
export function outcomeTemplates(industry?: string): OutcomeTemplateCatalog | undefined {
  if (industry === undefined) return catalog;
  const templates = catalog.templates.filter((entry) => entry.industry === industry);
  return templates.length === 0 ? undefined : { ...catalog, templates };
}
