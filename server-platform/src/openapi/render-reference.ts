import type {
  JsonSchema,
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from '@natter/sdk';
import { describeRules, describeType } from './describe-schema.ts';
import { escapeHtml, withCode } from './escape-html.ts';
import { REFERENCE_STYLE } from './reference-style.ts';

/** One call with where it is. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly server: string;
  readonly operation: OpenApiOperation;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** How the families are headed, by their tag. */
const FAMILY_NAMES: Readonly<Record<string, string>> = {
  chat: 'Chat',
  conversations: 'Conversations',
  concurrency: 'Concurrency',
  externalEvents: 'External events',
  numbers: 'Number reservation',
  voice: 'Voice preview',
  alertRules: 'Alert rules',
  alerts: 'Alerts',
  webhookEndpoints: 'Webhook endpoints',
  handoff: 'Handoff state',
};

/** Writes the reference page of a document: no script, no asset from anywhere, readable without either. */
export function renderReference(document: OpenApiDocument): string {
  const { info, components } = document;
  const families = groupByFamily(listCalls(document));
  const title = `${escapeHtml(info.title)} REST reference`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${REFERENCE_STYLE}</style>
</head>
<body>
<div class="page">
<header>
<h1>${title}</h1>
<p>Version ${escapeHtml(info.version)}. The same as a description for programs: <a href="/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
</header>
<nav aria-label="Calls">${[...families].map(([family, calls]) => renderContents(family, calls)).join('')}
<h2>Objects</h2><ul><li><a href="#schemas">All objects</a></li></ul></nav>
<main>
${[...families].map(([family, calls]) => renderFamily(family, calls)).join('\n')}
<h2 id="schemas">Objects</h2>
${Object.entries(components.schemas)
  .map(([name, schema]) => renderObject(name, schema))
  .join('\n')}
</main>
</div>
</body>
</html>
`;
}

function listCalls({ paths }: OpenApiDocument): readonly Call[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      const server = item.servers?.[0]?.url ?? '/';
      return operation === undefined ? [] : [{ method, path, server, operation }];
    }),
  );
}

function groupByFamily(calls: readonly Call[]): ReadonlyMap<string, readonly Call[]> {
  const families = new Map<string, Call[]>();
  for (const call of calls) {
    const family = call.operation.tags?.[0] ?? '';
    families.set(family, [...(families.get(family) ?? []), call]);
  }
  return families;
}

function renderContents(family: string, calls: readonly Call[]): string {
  const links = calls.map(
    ({ operation }) =>
      `<li><a href="#${escapeHtml(operation.operationId)}">${withCode(operation.summary)}</a></li>`,
  );
  return `<h2>${escapeHtml(FAMILY_NAMES[family] ?? family)}</h2><ul>${links.join('')}</ul>`;
}

function renderFamily(family: string, calls: readonly Call[]): string {
  const server = calls[0]?.server ?? '/';
  const where = server === '/' ? '' : `<p>Host: <code>${escapeHtml(server)}</code></p>`;
  return `<h2 id="family-${escapeHtml(family)}">${escapeHtml(FAMILY_NAMES[family] ?? family)}</h2>${where}
${calls.map(renderCall).join('\n')}`;
}

function renderCall({ method, path, operation }: Call): string {
  const { operationId, summary, parameters = [], requestBody, responses, security = [] } = operation;
  const keys = security
    .flatMap((scheme) => Object.keys(scheme))
    .map((name) => `<code>${escapeHtml(name)}</code>`);
  const body =
    requestBody === undefined
      ? ''
      : `<h4>Body${requestBody.required ? '' : ' (optional)'}</h4>${renderContent(requestBody.content)}`;
  const answers = Object.entries(responses).map(([status, { description, content }]) => {
    const shape = Object.values(content ?? {})[0]?.schema;
    const kind = shape === undefined ? 'no body' : describeType(shape);
    return `<li><code>${escapeHtml(status)}</code> ${withCode(description)} <span class="kind">${kind}</span></li>`;
  });
  return `<article id="${escapeHtml(operationId)}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p>${withCode(summary)} Header: ${keys.join(', ')}.</p>
${parameters.length === 0 ? '' : `<h4>Parameters</h4><ul class="fields">${parameters.map(renderParameter).join('')}</ul>`}
${body}
<h4>Answers</h4><ul class="fields">${answers.join('')}</ul>
</article>`;
}

function renderContent(content: OpenApiContent): string {
  const types = Object.entries(content).map(
    ([type, { schema }]) =>
      `<li><code>${escapeHtml(type)}</code> <span class="kind">${describeType(schema)}</span></li>`,
  );
  return `<ul class="fields">${types.join('')}</ul>`;
}

function renderParameter({ name, in: place, required, description, schema }: OpenApiParameter): string {
  return renderField(name, { ...schema, ...(description !== undefined && { description }) }, required, place);
}

function renderObject(name: string, schema: JsonSchema): string {
  const { properties = {}, required = [], description = '' } = schema;
  const fields = Object.entries(properties).map(([key, field]) =>
    renderField(key, field, required.includes(key), ''),
  );
  const rules = describeRules(schema);
  return `<article id="schema-${escapeHtml(name)}">
<h3>${escapeHtml(name)}</h3>
<p>${withCode(description)}${rules.length === 0 ? '' : ` <span class="kind">${rules.join('; ')}</span>`}</p>
${fields.length === 0 ? '' : `<ul class="fields">${fields.join('')}</ul>`}
</article>`;
}

function renderField(name: string, schema: JsonSchema, isRequired: boolean, place: string): string {
  const rules = describeRules(schema);
  const items = schema.items === undefined ? [] : describeRules(schema.items);
  const said = [...rules, ...items.map((rule) => `each ${rule}`)];
  return `<li><code>${escapeHtml(name)}</code> <span class="kind">${place === '' ? '' : `${place}, `}${describeType(schema)}</span>${
    isRequired ? ' <span class="need">required</span>' : ''
  }<br>${withCode(schema.description ?? '')}${said.length === 0 ? '' : `<span class="rules">${said.join('; ')}</span>`}</li>`;
}
