/** Elements and attributes that texts of the platform may create. */
export interface Allowed {
  readonly elements: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
}

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const ICON =
  'width height viewBox fill stroke stroke-width stroke-linecap stroke-linejoin focusable aria-hidden d';

/** The text of an agent. Source: AM-3. */
export const RICH_TEXT: Allowed = {
  elements: setOf(
    'DIV P H3 H4 UL OL LI A BR HR STRONG EM DEL CODE PRE BLOCKQUOTE LABEL INPUT SPAN TABLE THEAD TBODY TR TH TD BUTTON svg path',
  ),
  attributes: setOf(
    `class dir translate href target rel start scope tabindex role aria-label type checked disabled ${ICON}`,
  ),
};

/** The whole panel. */
export const PANEL: Allowed = {
  elements: new Set([
    ...RICH_TEXT.elements,
    ...setOf('SECTION HEADER FOOTER FORM TEXTAREA H2 SPAN BDI I IMG FIGURE FIGCAPTION TIME DIALOG'),
  ]),
  attributes: new Set([
    ...RICH_TEXT.attributes,
    ...setOf(
      'part style lang title src alt referrerpolicy decoding datetime rows placeholder enterkeyhint autocomplete open data-theme data-layout data-open data-edge data-streaming data-delivery aria-live aria-modal inert aria-haspopup aria-expanded aria-disabled aria-checked aria-pressed',
    ),
  ]),
};

/** Inline styles that components set. */
const OWN_STYLE = /^(?:(?:--_(?:size|top|height)|height): [\d.]+px;|overflow-y: (?:auto|hidden);| )*$/;

/**
 * Returns everything below `root` that is not allowed: elements, attributes, link protocols other than `http`, `https`,
 * `mailto` and `tel`, links without `noopener noreferrer`, pictures with a referrer, or from other hosts than
 * `imageHosts`.
 */
export function findUnsafe(
  root: ParentNode,
  { elements, attributes }: Allowed,
  imageHosts: readonly string[] = [],
): readonly string[] {
  return [...root.querySelectorAll('*')].flatMap((element) => {
    const faults = elements.has(element.tagName) ? [] : [`<${element.tagName}>`];
    for (const { name, value } of element.attributes) {
      if (!attributes.has(name)) faults.push(`${element.tagName} ${name}`);
      if (name === 'style' && !OWN_STYLE.test(value)) faults.push(`style ${value}`);
      if (name === 'href' && element.tagName !== 'A') faults.push(`href of ${element.tagName}`);
      if (name === 'src' && element.tagName !== 'IMG') faults.push(`src of ${element.tagName}`);
    }
    if (element instanceof HTMLAnchorElement) faults.push(...findUnsafeLink(element));
    if (element instanceof HTMLImageElement) {
      const { protocol, host } = new URL(element.src);
      if (!/^https?:$/.test(protocol) || !imageHosts.includes(host)) faults.push(`src ${element.src}`);
      if (element.getAttribute('referrerpolicy') !== 'no-referrer') faults.push('referrer of a picture');
    }
    return faults;
  });
}

function findUnsafeLink(link: HTMLAnchorElement): readonly string[] {
  const href = link.getAttribute('href');
  // A link without an address does nothing.
  if (href === null) return [];
  // A phone link opens no page, so it needs no `rel` and no `target`.
  if (href.startsWith('tel:')) return /^tel:\+?\d+$/.test(href) ? [] : [`href ${href}`];
  // An email link opens no page either, and another page of this site may know this one.
  if (/^mailto:/.test(href) || link.origin === location.origin) return [];
  const faults = /^https?:/.test(href) ? [] : [`href ${href}`];
  if (link.rel !== 'noopener noreferrer') faults.push(`rel ${link.rel}`);
  if (link.target !== '_blank') faults.push(`target ${link.target}`);
  return faults;
}
