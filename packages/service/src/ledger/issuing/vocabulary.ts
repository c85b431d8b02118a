/** What the service attests in credentials of its own (RULES C9). */
export const credentialTypes = [
  'ServiceEarningsCredential',
  'ServiceProfessionalRecordCredential',
  'ServiceDeliveryReceiptCredential',
  'ServiceAgentDeliveryCredential',
  'ServiceBusinessRecordCredential',
] as const;
export type ServiceCredentialType = (typeof credentialTypes)[number];

/** Contexts of others, in the order in which credentials name them. */
export const CREDENTIALS_V2 = 'https://www.w3.org/ns/credentials/v2';
export const CREDENTIALS_V1 = 'https://www.w3.org/2018/credentials/v1';
/** The terms of status entries, which the first version of the data model does not know yet. */
export const STATUS_V1 = 'https://www.w3.org/ns/credentials/status/v1';

/** Where this installation serves its own terms. */
export function contextUrl(baseUrl: string): string {
  return `${baseUrl}/contexts/v1`;
}

/**
 * The own terms of credentials. `record` is a JSON literal: JSON-LD would drop its nulls, and null
 * is what an absent figure is here. So a record may have any fields, and none of them needs a term.
 */
export function contextDocument(baseUrl: string): object {
  const term = (name: string) => `${contextUrl(baseUrl)}#${name}`;
  return {
    '@context': {
      '@version': 1.1,
      '@protected': true,
      ...Object.fromEntries(credentialTypes.map((type) => [type, term(type)])),
      formulaVersion: term('formulaVersion'),
      asOf: { '@id': term('asOf'), '@type': 'http://www.w3.org/2001/XMLSchema#dateTime' },
      record: { '@id': term('record'), '@type': '@json' },
    },
  };
}
