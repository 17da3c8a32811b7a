import type { JsonSchema } from './schema-writer.ts';

/** A body by media type, with optional examples. */
export type OpenApiContent = Readonly<
  Record<
    string,
    {
      readonly schema: JsonSchema;
      readonly example?: unknown;
      /** By name, if there are several. */
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
    }
  >
>;

/** One parameter. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** One response. */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  readonly content?: OpenApiContent;
}

/** One operation. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** The operations of one path. */
export interface OpenApiPathItem {
  readonly servers?: readonly { readonly url: string }[];
  readonly get?: OpenApiOperation;
  readonly post?: OpenApiOperation;
  readonly put?: OpenApiOperation;
  readonly patch?: OpenApiOperation;
  readonly delete?: OpenApiOperation;
}

/** An authentication scheme. */
export type OpenApiSecurityScheme =
  | { readonly type: 'apiKey'; readonly in: 'header'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: 'bearer' };

/** The part of an OpenAPI 3.1 document that is used here. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly {
    readonly name: string;
    readonly description: string;
    /** Heading of the reference page. */
    readonly 'x-displayName': string;
  }[];
  readonly paths: Readonly<Record<string, OpenApiPathItem>>;
  readonly webhooks: Readonly<Record<string, OpenApiPathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, OpenApiSecurityScheme>>;
  };
}
