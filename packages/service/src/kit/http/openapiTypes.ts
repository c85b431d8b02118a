/** The part of OpenAPI 3.1 that this service's own document uses. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  /** The messages to receivers, by type. */
  readonly webhooks: Readonly<Record<string, { readonly post: OperationObject }>>;
  readonly components: Components;
}

export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  readonly headers: Readonly<Record<string, HeaderObject>>;
  readonly securitySchemes: Readonly<Record<string, object>>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: true;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** The scope that a key needs, such as `events:write`. Absent if no scope is needed. */
  readonly 'x-scope'?: string;
  /** The feature that the plan must have. */
  readonly 'x-plan-feature'?: string;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: RequestBodyObject;
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: true;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface RequestBodyObject {
  readonly required: boolean;
  readonly description?: string;
  readonly content: Readonly<Record<string, MediaTypeObject>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
  /** Operations that use the answer. */
  readonly links?: Readonly<Record<string, LinkObject>>;
}

export interface LinkObject {
  readonly operationId: string;
  /** Runtime expressions: `$response.body#/id`. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface MediaTypeObject {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  /** For errors: one per code, named by the code. */
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}

export interface HeaderObject {
  readonly description: string;
  readonly schema: JsonSchema;
}

/** JSON Schema 2020-12 as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;
