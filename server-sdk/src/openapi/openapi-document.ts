import type { JsonSchema } from './json-schema.ts';

/** A body by media type. */
export type OpenApiContent = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** One parameter. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/** One answer. */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  readonly content?: OpenApiContent;
}

/** One call. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** The calls of one path. */
export interface OpenApiPathItem {
  readonly servers?: readonly { readonly url: string }[];
  readonly get?: OpenApiOperation;
  readonly post?: OpenApiOperation;
  readonly put?: OpenApiOperation;
  readonly patch?: OpenApiOperation;
  readonly delete?: OpenApiOperation;
}

/** An OpenAPI 3.1 document, as far as it is used here. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, OpenApiPathItem>>;
  readonly webhooks: Readonly<Record<string, OpenApiPathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<
      Record<string, { readonly type: 'apiKey'; readonly in: 'header'; readonly name: string }>
    >;
  };
}
