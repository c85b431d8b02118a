import errors from '../../data/errors.json' with { type: 'json' };

interface CatalogEntry {
  readonly status: number;
  readonly retryable: boolean;
  /** For callers, unless the place that throws has a more specific one. */
  readonly message: string;
}

export type ErrorCode = keyof typeof errors;

/** Served at `GET /errors` (RULES X1), by code. */
export const errorCatalog: Readonly<Record<ErrorCode, CatalogEntry>> = errors;
