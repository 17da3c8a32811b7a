import type { Child, VNode } from '../view/index.ts';

const VOID = new Set(['br']);
/** Properties whose attribute has another name. */
const NAMES: Readonly<Record<string, string>> = { dateTime: 'datetime' };

/** Elements as HTML. Every text and every value is escaped; what is a view or a handler has no place here, and throws. */
export function toHtml(child: Child): string {
  if (child === null || child === undefined || typeof child === 'boolean') return '';
  if (typeof child !== 'object') return escapeHtml(String(child));
  if (!isNode(child)) return child.map(toHtml).join('');
  const { type, props } = child;
  if (typeof type !== 'string') throw new Error('Only plain elements can be written as HTML.');
  const { children, ...attributes } = props;
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${NAMES[name] ?? name}="${escapeHtml(String(value))}"`)
    .join('');
  // Whoever wrote the tag had its children checked.
  return `<${type}${written}>${VOID.has(type) ? '' : `${toHtml(children as Child)}</${type}>`}`;
}

/** Harmless between tags and between double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const isNode = (child: VNode | readonly Child[]): child is VNode => !Array.isArray(child);
