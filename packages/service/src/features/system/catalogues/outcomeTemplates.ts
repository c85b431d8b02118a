import { witnessTypes } from '../../../domain/catalogues/enums.js';
import { versions } from '../../../domain/catalogues/versions.js';
import { consulting, financeAccounting, professionalServices } from './outcomeTemplates/advisory.js';
import { creativeDesign, engineering, softwareEngineering } from './outcomeTemplates/designAndEngineering.js';
import {
  logisticsDelivery,
  transportationFreight,
  warehouseManufacturing,
} from './outcomeTemplates/goods.js';
import guidance from './outcomeTemplates/guidance.json' with { type: 'json' };
import { dentalClinical, healthcareClinical, veterinary } from './outcomeTemplates/health.js';
import { eventsProduction, hospitalityFood, retailCustomerService } from './outcomeTemplates/hospitality.js';
import { legal, realEstate } from './outcomeTemplates/legalAndProperty.js';
import { beautyWellness, childcare, homeCarePersonalCare } from './outcomeTemplates/personalCare.js';
import { cleaningFacilities, landscapingGrounds, securityServices } from './outcomeTemplates/premises.js';
import { educationTutoring, staffingShiftWork } from './outcomeTemplates/shiftsAndTeaching.js';
import type { IndustryTemplates } from './outcomeTemplates/template.js';
import { automotiveRepair, skilledTradesLicensed, tradesHomeServices } from './outcomeTemplates/trades.js';

/**
 * The body of `GET /outcome-templates`. With `industry`, `templates` holds only that industry,
 * while `industries` still lists all of them. Returns `undefined` for an unknown industry.
 */
export function outcomeTemplates(industry?: string): OutcomeTemplateCatalog | undefined {
  if (industry === undefined) return catalog;
  const chosen = catalog.templates.filter((entry) => entry.industry === industry);
  return chosen.length === 0 ? undefined : { ...catalog, templates: chosen };
}

export type OutcomeTemplateCatalog = typeof catalog;

const templates: readonly IndustryTemplates[] = [
  dentalClinical,
  tradesHomeServices,
  skilledTradesLicensed,
  automotiveRepair,
  homeCarePersonalCare,
  healthcareClinical,
  veterinary,
  hospitalityFood,
  retailCustomerService,
  logisticsDelivery,
  transportationFreight,
  warehouseManufacturing,
  cleaningFacilities,
  landscapingGrounds,
  staffingShiftWork,
  securityServices,
  eventsProduction,
  childcare,
  beautyWellness,
  educationTutoring,
  professionalServices,
  legal,
  financeAccounting,
  creativeDesign,
  engineering,
  consulting,
  realEstate,
  softwareEngineering,
];

const catalog = {
  version: versions.outcomeTemplates,
  note: guidance.note,
  industries: templates.map(({ industry, label }) => ({ industry, label })),
  witnessTypes,
  fieldGuide: guidance.fieldGuide,
  notTheWorkersOutcome: guidance.notTheWorkersOutcome,
  templates,
  disclosures: guidance.disclosures,
} as const;
